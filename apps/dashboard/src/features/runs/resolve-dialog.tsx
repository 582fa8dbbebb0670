import { Stack, Text, TextInput, Textarea } from '@mantine/core'
import type { RunDetail, RunStepDetail, Verdict } from '@gatehouse/contract'
import { useState } from 'react'
import { CallError } from '../../lib/call-error.ts'
import { firstMessages } from '../../lib/field-errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ActionTokenFields } from './action-token-fields.tsx'
import { noTokens, toEndpoints } from './action-tokens.ts'
import { useRunActions } from './run-actions.ts'
import { notifyRefusal, notifyRunEnd, refusalText } from './run-toasts.ts'
import { SentFacts } from './sent-facts.tsx'
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

/** A person says what became of a step; it is kept with who said it and when. */
export function ResolveDialog({ run, step, verdict, onClose }: ResolveDialogProps) {
  // The dialog fades out with what it asked.
  const [shown, setShown] = useState<Verdict>('received')
  if (verdict !== undefined && verdict !== shown) setShown(verdict)
  const [values, setValues] = useState<ParticularsValues>({ reference: '', note: '' })
  const [tokens, setTokens] = useState(noTokens)
  const [failure, setFailure] = useState<unknown>()
  const [isWorking, setIsWorking] = useState(false)
  const { resolve, resume } = useRunActions(run.id)
  const maySend = useMaySend(run)
  const isSentAgain = shown === 'not_received' && maySend

  async function handleConfirm() {
    setIsWorking(true)
    setFailure(undefined)
    try {
      const { position } = step
      const reference = shown === 'received' ? values.reference : ''
      const run = await resolve({ step: position, verdict: shown, reference, note: values.note })
      notifySuccess('Kept with the run.')
      onClose()
      if (isSentAgain && run.state !== 'running') resend()
    } catch (error) {
      setFailure(error)
    } finally {
      setIsWorking(false)
    }
  }
  const resend = () =>
    void resume(toEndpoints(run, step.position, tokens)).then(notifyRunEnd, notifyRefusal)

  return (
    <ConfirmDialog
      isOpen={verdict !== undefined}
      title={`Step ${step.position}: ${texts[shown].title}`}
      confirmLabel={
        shown === 'not_received' && !maySend ? 'It was not received' : texts[shown].confirm
      }
      isHarmless={shown === 'received'}
      isWorking={isWorking}
      failure={failure === undefined ? undefined : refusalText(failure)}
      onConfirm={() => void handleConfirm()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          {shown === 'not_received' && !maySend ? notSentWords : texts[shown].words}
        </Text>
        <SentFacts run={run} step={step} />
        <Particulars
          hasReference={shown === 'received'}
          values={values}
          onChange={setValues}
          errors={failure instanceof CallError ? firstMessages(failure.errors) : {}}
        />
        {isSentAgain && (
          <ActionTokenFields
            run={run}
            fromStep={step.position}
            tokens={tokens}
            onChange={setTokens}
          />
        )}
      </Stack>
    </ConfirmDialog>
  )
}

interface ParticularsValues {
  reference: string
  note: string
}

interface ParticularsProps {
  hasReference: boolean
  values: ParticularsValues
  onChange: (values: ParticularsValues) => void
  errors: Readonly<Record<string, string>>
}

function Particulars({ hasReference, values, onChange, errors }: ParticularsProps) {
  return (
    <>
      {hasReference && (
        <TextInput
          label="Reference"
          description="The number that the receiver gave it, where there is one."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={values.reference}
          onChange={(event) => onChange({ ...values, reference: event.currentTarget.value })}
          error={errors['reference']}
          maxLength={200}
        />
      )}
      <Textarea
        label="Note"
        description="How you know: kept with the run."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={values.note}
        onChange={(event) => onChange({ ...values, note: event.currentTarget.value })}
        error={errors['note']}
        maxLength={1000}
        rows={2}
      />
    </>
  )
}
