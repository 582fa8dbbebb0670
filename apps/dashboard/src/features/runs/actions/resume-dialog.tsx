import { Stack, Text } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { describeKept } from './correction.ts'
import { ActionTokenFields } from './action-token-fields.tsx'
import { noTokens, toEndpoints } from './action-tokens.ts'
import { useRunActions } from './run-actions.ts'
import { notifyRefusal, notifyRunEnd } from './run-toasts.ts'

interface ResumeDialogProps {
  run: RunDetail
  /** Undefined while the dialog is closed. */
  step: number | undefined
  /** The step's outcome is unknown, and the endpoint bears getting the same bytes again. */
  isResend?: boolean
  onClose: () => void
}

/** Goes on with a run after a confirmation. Its progress is what the screen itself shows. */
export function ResumeDialog({ run, step, isResend = false, onClose }: ResumeDialogProps) {
  const [tokens, setTokens] = useState(noTokens)
  const { resume } = useRunActions(run.id)
  const fromStep = step ?? 1

  function handleClose() {
    setTokens(noTokens)
    onClose()
  }

  function handleConfirm() {
    handleClose()
    void resume(toEndpoints(run, fromStep, tokens)).then(notifyRunEnd, notifyRefusal)
  }
  return (
    <ConfirmDialog
      isOpen={step !== undefined}
      title={isResend ? 'Send the same again?' : `Resume from step ${fromStep}?`}
      confirmLabel={isResend ? 'Send the same again' : `Resume from step ${fromStep}`}
      isHarmless
      onConfirm={handleConfirm}
      onClose={handleClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          {isResend
            ? `Step ${fromStep} goes out once more with the same bytes and the same identifier. The endpoint is set up as one that takes the same request only once. The steps after it follow.`
            : describeResume(fromStep, run.steps.length)}
        </Text>
        <ActionTokenFields run={run} fromStep={fromStep} tokens={tokens} onChange={setTokens} />
      </Stack>
    </ConfirmDialog>
  )
}

function describeResume(fromStep: number, stepCount: number): string {
  const goesOn =
    fromStep === stepCount
      ? `This run goes on with step ${fromStep}.`
      : `This run goes on with step ${fromStep} and those after it.`
  if (fromStep === 1) return `${goesOn} Nothing of it has been accepted so far.`
  return `${goesOn} ${describeKept(fromStep - 1)}`
}
