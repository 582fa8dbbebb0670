import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PasskeyRecord, PasskeyCreationOptions } from '@gatehouse/contract'
import { CallError } from '../../lib/calls/call-error.ts'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { makePasskey, passkeyMessage } from '../../lib/session/passkeys.ts'
import { DialogFrame } from '../../ui/dialog/dialog-frame.tsx'
import { accountQueries, usePasskeyCalls } from './account-queries.ts'
import { deviceWords } from './own-sessions.tsx'
import { ProofForm, type Proof } from './proof-form.tsx'
import { usersMessages } from './users-messages.ts'

export type PasskeyTask = { to: 'add' } | { to: 'rename' | 'remove'; passkey: PasskeyRecord }

interface PasskeyDialogProps {
  task: PasskeyTask
  onClose: () => void
}

/** Adds a passkey, renames one or removes it. */
export function PasskeyDialog({ task, onClose }: PasskeyDialogProps) {
  const { title, done } = usersMessages.passkeys[task.to]

  function handleDone() {
    notifySuccess(done)
    onClose()
  }

  return (
    <DialogFrame isOpen title={title} onClose={onClose} width={480}>
      {task.to === 'add' && <Adding onDone={handleDone} onCancel={onClose} />}
      {task.to !== 'add' && (
        <Changing to={task.to} passkey={task.passkey} onDone={handleDone} onCancel={onClose} />
      )}
    </DialogFrame>
  )
}

interface StepProps {
  onDone: () => void
  onCancel: () => void
}

/** Whether the password alone is not enough. */
const useHasSecondFactor = () => useQuery(accountQueries.secondFactor()).data?.since != null

function Adding({ onDone, onCancel }: StepProps) {
  const calls = usePasskeyCalls()
  const hasSecondFactor = useHasSecondFactor()
  const [name, setName] = useState(() => deviceWords(navigator.userAgent))
  const [options, setOptions] = useState<PasskeyCreationOptions>()
  const [failure, setFailure] = useState<unknown>()
  const [isMaking, setIsMaking] = useState(false)

  // The window of the browser goes with the dialog.
  const left = useRef(new AbortController())
  useEffect(() => {
    const controller = (left.current = new AbortController())
    return () => controller.abort()
  }, [])

  async function make(given: PasskeyCreationOptions) {
    setIsMaking(true)
    setFailure(undefined)
    try {
      await calls.add.mutateAsync({ credential: await makePasskey(given, left.current.signal) })
      onDone()
    } catch (error) {
      setFailure(error)
      // What the server has refused, it refuses again.
      if (error instanceof CallError && error.status === 409) setOptions(undefined)
    } finally {
      setIsMaking(false)
    }
  }

  async function begin({ password, code }: Proof) {
    const begun = await calls.begin({ name, current_password: password, code })
    setOptions(begun)
    void make(begun)
  }

  return (
    <>
      {failure !== undefined && (
        <Alert color="red" role="alert">
          {passkeyMessage(failure)}
        </Alert>
      )}
      {options ? (
        <>
          {isMaking && (
            <Text size="sm">
              Your browser asks now where to keep the passkey <b>{name}</b>, and who you are.
            </Text>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button loading={isMaking} onClick={() => void make(options)}>
              Try again
            </Button>
          </Group>
        </>
      ) : (
        <ProofForm
          asksForPassword
          asksForCode={hasSecondFactor}
          submitLabel={usersMessages.passkeys.add.confirm}
          isDanger={false}
          send={begin}
          onCancel={onCancel}
        >
          {(errors) => <NameField name={name} onChange={setName} error={errors['name']} />}
        </ProofForm>
      )}
    </>
  )
}

interface ChangingProps extends StepProps {
  to: 'rename' | 'remove'
  passkey: PasskeyRecord
}

function Changing({ to, passkey, onDone, onCancel }: ChangingProps) {
  const calls = usePasskeyCalls()
  const hasSecondFactor = useHasSecondFactor()
  const [name, setName] = useState(passkey.name)
  const { id } = passkey

  async function send({ password, code }: Proof) {
    if (to === 'rename') await calls.rename.mutateAsync({ id, name })
    else await calls.remove.mutateAsync({ id, current_password: password, code })
    onDone()
  }

  return (
    <ProofForm
      asksForPassword={to === 'remove'}
      asksForCode={to === 'remove' && hasSecondFactor}
      submitLabel={usersMessages.passkeys[to].confirm}
      isDanger={to === 'remove'}
      send={send}
      onCancel={onCancel}
    >
      {(errors) =>
        to === 'rename' ? (
          <NameField name={name} onChange={setName} error={errors['name']} />
        ) : (
          <Text size="sm">
            <b>{passkey.name}</b> signs in no more, and all your other sessions end. The device
            keeps its part: delete it there too.
          </Text>
        )
      }
    </ProofForm>
  )
}

interface NameFieldProps {
  name: string
  onChange: (name: string) => void
  error: string | undefined
}

function NameField({ name, onChange, error }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      description="By which you know the device again."
      data-autofocus
      maxLength={100}
      value={name}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}
