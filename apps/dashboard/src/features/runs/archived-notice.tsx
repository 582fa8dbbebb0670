import { Alert, Button, Group, Text } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import type { RunDetail } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'

interface ArchivedNoticeProps {
  archive: NonNullable<RunDetail['archive']>
  /** Why the last try to read the run back failed. */
  error: unknown
  isReading: boolean
  onRead: () => void
}

/** Says where the bodies of a run are that left the database, and reads them back. */
export function ArchivedNotice({ archive, error, isReading, onRead }: ArchivedNoticeProps) {
  const place = `${archive.file}, line ${archive.line.toLocaleString('en')}`
  return (
    <Alert
      color={error ? 'red' : 'gray'}
      icon={<IconArchive aria-hidden />}
      title={archive.is_read ? 'Read back from the archive' : 'In the archive'}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} flex="1 1 16rem">
          {archive.is_read
            ? `What was sent and answered is read from ${place}. Its hash is right.`
            : `What was sent and answered is in ${place}.`}
        </Text>
        {!archive.is_read && (
          <Button variant="default" size="compact-sm" loading={isReading} onClick={onRead}>
            Read back
          </Button>
        )}
      </Group>
      {Boolean(error) && (
        <Text size="sm" mt={6} role="alert">
          {messageOf(error)}
        </Text>
      )}
    </Alert>
  )
}

/** True where bodies and answers are not here. */
export const isAway = ({ archive }: Pick<RunDetail, 'archive'>) =>
  archive !== null && !archive.is_read
