import { Text, TextInput } from '@mantine/core'
import type { RunDetail, RunStepDetail, Verdict } from '@gatehouse/contract'
import { notifySuccess } from '../../../lib/page/notify.tsx'
import { ReasonDialog } from '../../../ui/dialog/reason-dialog.tsx'
import { ActionTokenFields } from './action-token-fields.tsx'
import { noTokens, toEndpoints } from './action-tokens.ts'
import { useRunActions } from './run-actions.ts'
import { notifyRefusal, notifyRunEnd } from './run-toasts.ts'
import { SentFacts } from '../resolve/sent-facts.tsx'
import { useMaySend } from './use-may-send.ts'

interface ResolveDialogProps {
  run: RunDetail
  step: RunStepDetail
  /** Undefined while the dialog is closed. */
  verdict: Verdict | undefined
  onClose: () => void
}

const texts = {
  received: {
    title: 'It was received?',
    confirm: 'It was received',
    words:
      'Say so only if you have seen it at the receiver. The step then counts as succeeded, and is never sent again.',
  },
  not_received: {
    title: 'It was not received?',
    confirm: 'It was not received: send again',
    words:
      'Say so only if you have made sure at the receiver. The same bytes are then sent again: if it was received after all, it is there twice.',
  },
} as const

const notSentWords =
  'Say so only if you have made sure at the receiver. A user who may send can then send the same bytes again: if it was received after all, it is there twice.'

const submissionWords =
  'Say so only if you have seen it at the receiver. The step is then pending: the authority is asked for its decision, and no document counts as accepted before.'

const nothingTyped = { reference: '', submission: '', tokens: noTokens }

/** A person says what became of a step; it is kept with who said it and when. */
export function ResolveDialog({ run, step, verdict, onClose }: ResolveDialogProps) {
  const { resolve, resume } = useRunActions(run.id)
  const maySend = useMaySend(run)
  const { position } = step
  const asksSubmission = step.received_asks === 'submission'

  async function perform(said: Verdict, note: string, typed: typeof nothingTyped) {
    const { reference, submission, tokens } = typed
    const number = asksSubmission ? { submission } : {}
    const after = await resolve({ step: position, verdict: said, reference, ...number, note })
    notifySuccess('Kept with the run.')
    if (said === 'not_received' && maySend && after.state !== 'running')
      void resume(toEndpoints(run, position, tokens)).then(notifyRunEnd, notifyRefusal)
  }
  return (
    <ReasonDialog
      subject={verdict}
      ask={(said) => ({
        title: `Step ${position}: ${texts[said].title}`,
        confirmLabel:
          said === 'not_received' && !maySend ? 'It was not received' : texts[said].confirm,
        isHarmless: said === 'received',
      })}
      field={{
        name: 'note',
        label: 'Note',
        description: 'How you know: kept with the run.',
        maxLength: 1000,
      }}
      more={nothingTyped}
      perform={perform}
      onClose={onClose}
    >
      {({ subject: said, more, setMore, errors }) => (
        <>
          <Text size="sm">
            {said === 'not_received' && !maySend
              ? notSentWords
              : said === 'received' && asksSubmission
                ? submissionWords
                : texts[said].words}
          </Text>
          <SentFacts run={run} step={step} />
          {said === 'received' && asksSubmission && (
            <TextInput
              label="Submission number"
              description="The number that the authority gave what was sent. It is asked by it for its decision."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={more.submission}
              onChange={(event) => setMore({ ...more, submission: event.currentTarget.value })}
              error={errors['submission']}
              maxLength={200}
            />
          )}
          {said === 'received' && !asksSubmission && (
            <TextInput
              label="Reference"
              description="The number that the receiver gave it, where there is one."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={more.reference}
              onChange={(event) => setMore({ ...more, reference: event.currentTarget.value })}
              error={errors['reference']}
              maxLength={200}
            />
          )}
          {said === 'not_received' && maySend && (
            <ActionTokenFields
              run={run}
              fromStep={position}
              tokens={more.tokens}
              onChange={(tokens) => setMore({ ...more, tokens })}
            />
          )}
        </>
      )}
    </ReasonDialog>
  )
}
