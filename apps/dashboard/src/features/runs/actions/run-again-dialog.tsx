import { Stack, Text } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { ActionTokenFields } from './action-token-fields.tsx'
import { noTokens, toEndpoints } from './action-tokens.ts'
import { refusalText } from './run-toasts.ts'
import { useRetry } from './use-retry.ts'

interface RunAgainDialogProps {
  run: RunDetail
  isOpen: boolean
  onClose: () => void
}

/** Sends everything once more, as a new run: quite another thing than to resume. */
export function RunAgainDialog({ run, isOpen, onClose }: RunAgainDialogProps) {
  const [tokens, setTokens] = useState(noTokens)
  const { begin, isBeginning, failure, forgetFailure } = useRetry(run)
  const hasSent = run.steps.some(({ state }) => state === 'succeeded')
  function handleClose() {
    setTokens(noTokens)
    forgetFailure()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Run again from the start?"
      confirmLabel="Run again from the start"
      isWorking={isBeginning}
      failure={failure === undefined ? undefined : refusalText(failure)}
      onConfirm={() => void begin({ ...toEndpoints(run, 1, tokens), from_start: true })}
      onClose={handleClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Every step is sent again, from the first, as a new run that is linked to this one.
        </Text>
        {hasSent && (
          <Text size="sm" fw={600}>
            Steps of this run that succeeded are sent a second time. To go on where it stopped,
            resume it instead.
          </Text>
        )}
        <ActionTokenFields run={run} fromStep={1} tokens={tokens} onChange={setTokens} />
      </Stack>
    </ConfirmDialog>
  )
}
