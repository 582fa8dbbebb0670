import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { taxMessages } from './tax-messages.ts'

/** Why Send Request waits, and a way to send something else meanwhile. */
export function HeldForm({ onStartAnother }: { onStartAnother: () => void }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{taxMessages.held}</Text>
        <Button variant="default" size="compact-sm" onClick={() => setIsAsking(true)}>
          Start another request
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        title="Start another request?"
        confirmLabel="Start another"
        onConfirm={() => {
          setIsAsking(false)
          onStartAnother()
        }}
        onClose={() => setIsAsking(false)}
      >
        <Text size="sm">
          The last request may have been received: sending the same again may create it twice. It
          stays in the history until somebody says what became of it; the form stays as it is.
        </Text>
      </ConfirmDialog>
    </Alert>
  )
}
