import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { diffLines } from '../../lib/format/line-diff.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { LineDiff } from '../../ui/json/line-diff-view.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { definitionText } from './definition-text.ts'
import type { Workflow } from './read-workflow.ts'
import { workflowQueries } from './workflow-queries.ts'
import { workflowsMessages } from './workflows-messages.ts'

interface CompareDialogProps {
  workflow: Workflow
  /** Undefined while the dialog is closed. */
  version: number | undefined
  onClose: () => void
}

/** What became of an earlier version, line by line. */
export function CompareDialog({ workflow, version, onClose }: CompareDialogProps) {
  return (
    <Dialog
      isOpen={version !== undefined}
      title={`Version ${version ?? ''} and version ${workflow.version}, which is in force`}
      onClose={onClose}
    >
      {version !== undefined && <Compared workflow={workflow} version={version} />}
    </Dialog>
  )
}

function Compared({ workflow, version }: { workflow: Workflow; version: number }) {
  const query = useQuery(workflowQueries.version(workflow.id, version))
  return (
    <QueryLoader query={query} failureText={workflowsMessages.versionsNotLoaded}>
      {({ definition }) => {
        const lines = diffLines(definitionText(definition), definitionText(workflow))
        if (lines.every(({ kind }) => kind === 'same'))
          return <Text size="sm">They hold the same.</Text>
        return <LineDiff label={`From version ${version} to ${workflow.version}`} lines={lines} />
      }}
    </QueryLoader>
  )
}
