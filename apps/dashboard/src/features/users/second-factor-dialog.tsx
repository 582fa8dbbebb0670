import { useState } from 'react'
import type { SecondFactorSetup } from '@gatehouse/contract'
import { AuthenticatorSetup } from '../../entities/second-factor/authenticator-setup.tsx'
import { RecoveryCodeList } from '../../entities/second-factor/recovery-code-list.tsx'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { DialogFrame } from '../../ui/dialog/dialog-frame.tsx'
import { useSecondFactorCalls } from './account-queries.ts'
import { ProofForm, type Proof } from './proof-form.tsx'
import { usersMessages } from './users-messages.ts'

export type SecondFactorTask = 'set-up' | 'codes' | 'turn-off'

interface SecondFactorDialogProps {
  task: SecondFactorTask
  onClose: () => void
}

/** Sets the second factor up, renews the recovery codes or turns it off, each after the password. */
export function SecondFactorDialog({ task, onClose }: SecondFactorDialogProps) {
  const calls = useSecondFactorCalls()
  const [setup, setSetup] = useState<SecondFactorSetup>()
  const [codes, setCodes] = useState<string[]>()
  const { title, confirm, done } = usersMessages.secondFactor[task]

  async function send({ password, code }: Proof) {
    const given = { current_password: password, code }
    if (task === 'turn-off') {
      await calls.remove.mutateAsync(given)
      notifySuccess(done)
      onClose()
    } else if (task === 'codes') setCodes(await calls.renew.mutateAsync(given))
    else if (setup) setCodes(await calls.confirm.mutateAsync(code))
    else setSetup(await calls.begin.mutateAsync(password))
  }

  function handleClose() {
    if (codes) notifySuccess(done)
    onClose()
  }

  return (
    <DialogFrame isOpen title={title} onClose={handleClose} width={480}>
      {codes ? (
        <RecoveryCodeList codes={codes} onDone={handleClose} />
      ) : (
        <>
          {setup && <AuthenticatorSetup setup={setup} />}
          <ProofForm
            // Each step begins with blank fields.
            key={setup ? 'code' : 'password'}
            asksForPassword={!setup}
            asksForCode={task !== 'set-up' || setup !== undefined}
            submitLabel={task === 'set-up' && !setup ? 'Continue' : confirm}
            isDanger={task === 'turn-off'}
            send={send}
            onCancel={onClose}
          />
        </>
      )}
    </DialogFrame>
  )
}
