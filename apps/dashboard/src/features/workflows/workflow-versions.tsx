import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WorkflowVersionRow } from '@gatehouse/contract'
import { useCan } from '../../lib/session/session.tsx'
import { VersionTable } from '../../entities/version/version-table.tsx'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { CompareDialog } from './compare-dialog.tsx'
import { definitionFields } from './definition-text.ts'
import type { Workflow } from './read-workflow.ts'
import { useRestoreVersion, workflowQueries } from './workflow-queries.ts'
import { workflowsMessages } from './workflows-messages.ts'
import classes from './workflow-page.module.css'

/** The versions of a workflow, compared with the one in force and brought back. */
export function WorkflowVersions({ workflow }: { workflow: Workflow }) {
  const query = useQuery(workflowQueries.versions(workflow.id))
  const can = useCan()
  const [compared, setCompared] = useState<number>()
  const [restored, setRestored] = useState<WorkflowVersionRow>()
  const restore = useRestoreVersion(workflow.id, workflow.version)
  return (
    <QueryLoader query={query} failureText={workflowsMessages.versionsNotLoaded}>
      {({ data, total }) => (
        <>
          <ol className={classes['rows']} aria-label="Versions">
            {data.map((row) => (
              <Version
                key={row.version}
                row={row}
                onCompare={() => setCompared(row.version)}
                onRestore={can('workflow.edit') ? () => setRestored(row) : undefined}
              />
            ))}
          </ol>
          {total > data.length && (
            <Text size="xs" c="dimmed" mt="sm">
              The newest {data.length} of {total}.
            </Text>
          )}
          <CompareDialog
            workflow={workflow}
            version={compared}
            onClose={() => setCompared(undefined)}
          />
          <ActionDialog
            row={restored}
            texts={{
              title: `Bring back version ${restored?.version ?? ''}?`,
              confirm: 'Bring back',
              done: workflowsMessages.restored,
            }}
            isWide
            renderConsequences={(row) => (
              <>
                <WhatReturns workflow={workflow} version={row.version} />
                <Text size="sm">
                  What version {row.version} holds is saved again as the newest version. Runs that
                  were taken keep theirs. No version is lost.
                </Text>
              </>
            )}
            perform={(row) => restore.mutateAsync(row.version)}
            onClose={() => setRestored(undefined)}
          />
        </>
      )}
    </QueryLoader>
  )
}

/** The fields that the earlier version would change. */
function WhatReturns({ workflow, version }: { workflow: Workflow; version: number }) {
  const query = useQuery(workflowQueries.version(workflow.id, version))
  return (
    <QueryLoader query={query} failureText={workflowsMessages.versionsNotLoaded}>
      {({ definition }) => (
        <VersionTable
          label="What the earlier version changes"
          heads={['Now', `Version ${version}`]}
          before={definitionFields(workflow)}
          after={definitionFields(definition)}
        />
      )}
    </QueryLoader>
  )
}

interface VersionProps {
  row: WorkflowVersionRow
  onCompare: () => void
  onRestore: (() => void) | undefined
}

function Version({ row, onCompare, onRestore }: VersionProps) {
  const { version, created_at, user_name, is_current, changes } = row
  return (
    <li className={classes['row']}>
      <div className={classes['what']}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            Version {version}
          </Text>
          {is_current && (
            <Badge color="green" variant="light">
              In force
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          <Moment at={created_at} isRelative />, by {user_name}
          {changes.length > 0 && ` · changed: ${changes.map(fieldWords).join(', ')}`}
        </Text>
      </div>
      {!is_current && (
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Compare version ${version}`}
            onClick={onCompare}
          >
            Compare
          </Button>
          {onRestore && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Bring back version ${version}`}
              onClick={onRestore}
            >
              Bring back
            </Button>
          )}
        </Group>
      )}
    </li>
  )
}

const fieldWords = (field: string) => field.replaceAll('_', ' ')
