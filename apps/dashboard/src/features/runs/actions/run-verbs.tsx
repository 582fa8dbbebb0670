import { Button, Group, Stack, Text } from '@mantine/core'
import {
  IconArchive,
  IconBan,
  IconPencil,
  IconPlayerPlay,
  IconRepeat,
  type Icon,
} from '@tabler/icons-react'
import type { RunDetail, RunState } from '@gatehouse/contract'
import { useState } from 'react'
import { serverWords } from '../../../lib/calls/server-words.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import { isAway } from '../archived-notice.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import { ResumeDialog } from './resume-dialog.tsx'
import { RunAgainDialog } from './run-again-dialog.tsx'

type Verb = 'resume' | 'again' | 'correct' | 'close' | 'cancel'

/**
 * What may be done about a run as a whole, as the server says for this person: two different words for
 * two different things.
 */
export function RunVerbs({ run }: { run: RunDetail }) {
  const can = useCan()
  const [asked, setAsked] = useState<Verb>()
  const close = () => setAsked(undefined)
  const step = run.resume.step
  if (run.state === 'running') return null
  const canSend = can('run.resume')
  const refusals = canSend ? refusalsOf(run) : []
  const may = {
    // The resend of an unknown step has its own button, beside what else may be done about it.
    resume: canSend && step !== null && run.state !== 'unknown',
    // A correction begins with what was sent.
    correct: canSend && run.correct.is_allowed && !isAway(run),
    again: canSend && run.run_again.is_allowed,
    close: run.close.is_allowed,
    cancel: run.cancel.is_allowed,
  }
  if (!Object.values(may).includes(true) && refusals.length === 0) return null
  return (
    <Stack gap={6}>
      <Group gap="xs">
        {may.resume && (
          <VerbButton icon={IconPlayerPlay} isFirst onClick={() => setAsked('resume')}>
            {`Resume from step ${step}`}
          </VerbButton>
        )}
        {may.correct && (
          <VerbButton icon={IconPencil} onClick={() => setAsked('correct')}>
            Retry with corrected bodies
          </VerbButton>
        )}
        {may.again && (
          <VerbButton icon={IconRepeat} onClick={() => setAsked('again')}>
            Run again from the start
          </VerbButton>
        )}
        {may.cancel && (
          <VerbButton icon={IconBan} onClick={() => setAsked('cancel')}>
            Cancel this run
          </VerbButton>
        )}
        {may.close && (
          <VerbButton icon={IconArchive} onClick={() => setAsked('close')}>
            Close this run
          </VerbButton>
        )}
      </Group>
      {refusals.map((refusal) => (
        <Text key={refusal} size="sm" c="dimmed">
          {serverWords(refusal)}
        </Text>
      ))}
      <ResumeDialog
        run={run}
        step={asked === 'resume' && step !== null ? step : undefined}
        onClose={close}
      />
      <RunAgainDialog run={run} isOpen={asked === 'again'} onClose={close} />
      <CancelDialog run={run} isOpen={asked === 'cancel'} onClose={close} />
      <CloseDialog run={run} isOpen={asked === 'close'} onClose={close} />
      <CorrectDialog run={run} isOpen={asked === 'correct'} onClose={close} />
    </Stack>
  )
}

interface VerbButtonProps {
  icon: Icon
  /** What is most likely wanted. */
  isFirst?: boolean
  onClick: () => void
  children: string
}

function VerbButton({ icon: VerbIcon, isFirst = false, onClick, children }: VerbButtonProps) {
  return (
    <Button
      size="sm"
      variant={isFirst ? 'filled' : 'default'}
      leftSection={<VerbIcon size={16} aria-hidden />}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

const quietStates: ReadonlySet<RunState> = new Set([
  'succeeded',
  'unknown',
  'queued',
  'waits_for_release',
])

/** Why what one might look for is not there; a run that succeeded needs no excuses. */
function refusalsOf({ state, resume, run_again, correct, archive }: RunDetail): string[] {
  if (quietStates.has(state)) return []
  const all = [
    resume.step === null ? resume.refusal : null,
    correct.is_allowed
      ? isAway({ archive })
        ? 'Read the bodies back to correct them.'
        : null
      : correct.refusal,
    run_again.is_allowed ? null : run_again.refusal,
  ]
  return [...new Set(all.filter((refusal) => refusal !== null))]
}
