import { Code, Stack, Text } from '@mantine/core'
import type { SecondFactorSetup } from '@gatehouse/contract'
import { CopyButton } from '../../ui/text/copy-button.tsx'

/** What an authenticator app takes over: a QR code, and the secret to be typed in its place. */
export function AuthenticatorSetup({ setup }: { setup: SecondFactorSetup }) {
  return (
    <Stack gap="sm" align="center">
      <Text size="sm">
        Scan this with an authenticator app, or enter the secret there. Then enter the code that the
        app shows.
      </Text>
      <img
        src={`data:image/png;base64,${setup.qr_code}`}
        alt="QR code for the authenticator app"
        width={240}
        height={240}
      />
      <Code dir="ltr">{setup.secret}</Code>
      <CopyButton text={setup.secret} label="Copy" description="the secret" />
    </Stack>
  )
}
