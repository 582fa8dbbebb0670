import { Text } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { notifySuccess } from '../../../lib/page/notify.tsx'
import { ReasonDialog } from '../../../ui/dialog/reason-dialog.tsx'
import { useRunActions } from '../actions/run-actions.ts'

interface DecisionProps {
  run: RunDetail
  isOpen: boolean
  onClose: () => void
}

const note = {
  name: 'note',
  label: 'Note',
  description: 'Kept with the run and in the audit trail.',
  maxLength: 1000,
} as const

/** `content`: what was shown, and nothing else is sent. */
export function ReleaseDialog({
  run,
  content,
  isOpen,
  onClose,
}: DecisionProps & { content: string }) {
  const { release } = useRunActions(run.id)
  return (
    <ReasonDialog
      subject={isOpen ? run.id : undefined}
      ask={(id) => ({
        title: `Release run ${id}?`,
        confirmLabel: 'Release this run',
        isHarmless: true,
      })}
      field={{ ...note, isRequired: false }}
      more={{}}
      perform={async (_, text) => notifySuccess((await release({ content, note: text })).message)}
      onClose={onClose}
    >
      {() => <Text size="sm">{releaseWords(run)}</Text>}
    </ReasonDialog>
  )
}

const releaseWords = ({ kind }: RunDetail) =>
  kind === 'call'
    ? 'It is sent now, once, as it is shown here.'
    : 'It goes to its lane and is sent once, as it is shown here.'

export function RefuseDialog({ run, isOpen, onClose }: DecisionProps) {
  const { refuse } = useRunActions(run.id)
  return (
    <ReasonDialog
      subject={isOpen ? run.id : undefined}
      ask={(id) => ({ title: `Refuse run ${id}?`, confirmLabel: 'Refuse this run' })}
      field={{
        ...note,
        description: 'Its caller reads it. Kept with the run and in the audit trail.',
        isRequired: true,
      }}
      more={{}}
      perform={async (_, text) => notifySuccess((await refuse({ note: text })).message)}
      onClose={onClose}
    >
      {() => <Text size="sm">It is cancelled. Nothing of it is sent.</Text>}
    </ReasonDialog>
  )
}
