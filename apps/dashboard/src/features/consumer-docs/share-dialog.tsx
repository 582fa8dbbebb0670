import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { paths } from '../../entities/paths.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useShare, useUnshare, type ConsumerRole } from './consumer-docs-queries.ts'
import classes from './consumer-docs.module.css'

interface ShareDialogProps {
  role: ConsumerRole
  onClose: () => void
}

/** Makes and ends the link to the docs of a role. */
export function ShareDialog({ role, onClose }: ShareDialogProps) {
  const share = useShare()
  const unshare = useUnshare()
  const [address, setAddress] = useState<string>()
  const failure = share.error ?? unshare.error

  async function handleShare() {
    unshare.reset()
    const { link } = await share.mutateAsync(role.id)
    setAddress(`${window.location.origin}${paths.sharedDocs}#${link}`)
  }
  async function handleUnshare() {
    share.reset()
    await unshare.mutateAsync(role.id)
    setAddress(undefined)
  }
  // The failure is shown below.
  const quietly = (work: Promise<void>) => void work.catch(() => {})
  return (
    <Dialog isOpen title={`Docs of ${role.name}`} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          Anyone who has the link sees what {role.name} may call: addresses, parameters and samples,
          no token and no address of an upstream. It follows the access of the role.
        </Text>
        {address !== undefined && (
          <Alert color="green" title="The link is shown this once">
            <Stack gap="xs" align="flex-start">
              <code className={classes['link']} dir="ltr">
                {address}
              </code>
              <CopyButton text={address} label="Copy link" description="the link to the docs" />
            </Stack>
          </Alert>
        )}
        <Text size="sm" c="dimmed" aria-live="polite">
          {role.shared ? (
            <>
              Shared by {role.shared.by}, <Moment at={role.shared.at} isRelative />.
            </>
          ) : (
            'There is no link now.'
          )}
        </Text>
        {failure && (
          <Alert color="red" role="alert">
            {messageOf(failure)}
          </Alert>
        )}
        <Group gap="sm">
          <Button
            variant={role.shared ? 'default' : 'filled'}
            loading={share.isPending}
            onClick={() => quietly(handleShare())}
          >
            {role.shared ? 'Make a new link' : 'Make a link'}
          </Button>
          {role.shared && (
            <Button
              color="red"
              variant="light"
              loading={unshare.isPending}
              onClick={() => quietly(handleUnshare())}
            >
              End link
            </Button>
          )}
        </Group>
        {role.shared && (
          <Text size="sm" c="dimmed">
            A new link ends the one before it.
          </Text>
        )}
      </Stack>
    </Dialog>
  )
}
