import { Alert, Button, Group, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import type { useTestUnsaved } from './alarm-queries.ts'

interface ChannelTestCardProps {
  test: ReturnType<typeof useTestUnsaved>
  onTest: () => void
}

/** Sends a message by what the form holds, and shows what the receiver answered. */
export function ChannelTestCard({ test, onTest }: ChannelTestCardProps) {
  const { data, error, isPending } = test
  const isOfFields = error instanceof CallError && error.status === 422
  return (
    <FormCard title="Test" description="By what is in this form. Nothing is saved.">
      <Group>
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={isPending}
          onClick={onTest}
        >
          Send a test
        </Button>
      </Group>
      <div aria-live="polite">
        {data && (
          <Alert
            color={data.ok ? 'green' : 'red'}
            role="note"
            title={data.ok ? 'Sent' : 'Not sent'}
          >
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {data.answer}
            </Text>
          </Alert>
        )}
        {error && !isOfFields && (
          <Alert color="red" role="note" title="Not sent">
            {messageOf(error)}
          </Alert>
        )}
      </div>
    </FormCard>
  )
}
