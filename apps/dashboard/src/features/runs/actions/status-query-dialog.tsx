import { Stack, Text, TextInput } from '@mantine/core'
import type { RunDetail, RunStepDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { notifyInfo, notifySuccess } from '../../../lib/page/notify.tsx'
import { ActionDialog } from '../../../ui/dialog/action-dialog.tsx'
import { TokenField } from '../../../entities/api/token-field.tsx'
import { inquiryWords, undecidedWords } from '../inquiry-words.ts'
import { useRunActions } from './run-actions.ts'

interface StatusQueryDialogProps {
  run: RunDetail
  step: RunStepDetail
  isOpen: boolean
  onClose: () => void
}

/** Asks the endpoint's status query; asking changes nothing there. */
export function StatusQueryDialog({ run, step, isOpen, onClose }: StatusQueryDialogProps) {
  const [token, setToken] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const { ask } = useRunActions(run.id)

  async function perform() {
    const { message, because, ask_again_after } = await ask({
      step: step.position,
      token,
      ...(step.missing.length > 0 ? { values } : {}),
    })
    if (because !== null) notifyInfo(undecidedWords(because, ask_again_after))
    else notifySuccess(message)
  }
  function handleClose() {
    setToken('')
    setValues({})
    onClose()
  }
  return (
    <ActionDialog
      row={isOpen ? step : undefined}
      texts={{ title: 'Ask what became of it?', confirm: 'Ask' }}
      isHarmless
      renderConsequences={() => (
        <Stack gap="sm">
          <Text size="sm">
            The status query of {step.endpoint_name} is called. It only reads; its answer is kept
            with the attempts of step {step.position}.
          </Text>
          {step.inquiry && <Text size="sm">{inquiryWords(step.inquiry)}</Text>}
          {step.missing.map((name) => (
            <TextInput
              key={name}
              label={name}
              description="Nothing that was sent or answered has this value."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={200}
              value={values[name] ?? ''}
              onChange={({ currentTarget }) =>
                setValues({ ...values, [name]: currentTarget.value })
              }
            />
          ))}
          <TokenField value={token} onChange={setToken} />
        </Stack>
      )}
      perform={perform}
      onClose={handleClose}
    />
  )
}
