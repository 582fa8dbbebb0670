import { Stack, Text } from '@mantine/core'
import type { RunDetail, RunStepDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { notifyInfo, notifySuccess } from '../../lib/notify.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TokenField } from '../../entities/api/token-field.tsx'
import { inquiryWords, undecidedWords } from './inquiry-words.ts'
import { useRunActions } from './run-actions.ts'
import { refusalText } from './run-toasts.ts'

interface StatusQueryDialogProps {
  run: RunDetail
  step: RunStepDetail
  isOpen: boolean
  onClose: () => void
}

/** Asks the endpoint's status query; asking changes nothing there. */
export function StatusQueryDialog({ run, step, isOpen, onClose }: StatusQueryDialogProps) {
  const [token, setToken] = useState('')
  const [isWorking, setIsWorking] = useState(false)
  const [failure, setFailure] = useState<string>()
  const { ask } = useRunActions(run.id)

  async function handleConfirm() {
    setIsWorking(true)
    setFailure(undefined)
    try {
      const { message, because, ask_again_after } = await ask({ step: step.position, token })
      if (because !== null) notifyInfo(undecidedWords(because, ask_again_after))
      else notifySuccess(message)
      onClose()
    } catch (error) {
      setFailure(refusalText(error))
    } finally {
      setIsWorking(false)
    }
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Ask what became of it?"
      confirmLabel="Ask"
      isHarmless
      isWorking={isWorking}
      failure={failure}
      onConfirm={() => void handleConfirm()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          The status query of {step.endpoint_name} is called. It only reads; its answer is kept with
          the attempts of step {step.position}.
        </Text>
        {step.inquiry && <Text size="sm">{inquiryWords(step.inquiry)}</Text>}
        <TokenField value={token} onChange={setToken} />
      </Stack>
    </ConfirmDialog>
  )
}
