import { Button, Modal, Stack, Text } from '@mantine/core'
import type { SessionUser } from '@gatehouse/contract'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { LoginForm } from './login-form.tsx'

const PasskeyOffer = lazyPart(async () => (await import('./login-more.tsx')).PasskeyOffer)

interface SignInAgainProps {
  /** Whose form it is: nobody else signs in over it. */
  user: SessionUser
  /** The user gives up what is not saved. */
  onLeave: () => void
}

/**
 * Over a form whose session has ended. After a new login the user goes on where the form was. What is below
 * can't be read, as after any logout.
 */
export function SignInAgain({ user, onLeave }: SignInAgainProps) {
  return (
    <Modal.Root
      opened
      centered
      onClose={() => undefined}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Modal.Overlay blur={14} backgroundOpacity={0.7} />
      <Modal.Content>
        <Modal.Body p="lg">
          <Stack gap="md">
            <div>
              <Modal.Title fz="lg" fw={600}>
                Your session has ended
              </Modal.Title>
              <Text size="sm" c="dimmed">
                Sign in again to go on: what you typed is still here, and not saved yet.
              </Text>
            </div>
            <LoginForm email={user.email}>
              <PasskeyOffer userId={user.id} />
            </LoginForm>
            <Button variant="subtle" color="gray" onClick={onLeave}>
              Leave without saving
            </Button>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
