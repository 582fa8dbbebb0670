import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { AlarmChannelRecord } from '@gatehouse/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { channelQueries, useDeleteChannel, useTestChannel } from './alarm-queries.ts'
import { AlarmTabs } from './alarm-tabs.tsx'
import { StatusWord } from '../../ui/text/status-word.tsx'

/** Where alarms are told beside the bell. */
export function AlarmChannelListPage() {
  const deletion = useDeleteChannel()
  const can = useCan()
  const mayEdit = can('alarm.edit')
  return (
    <ListPage
      id="alarm-channels"
      title="Alarm channels"
      subtitle="Alarms are told here, beside the bell. What can’t be sent is tried again for 24 hours."
      actions={
        <Group gap="sm">
          <AlarmTabs />
          {mayEdit && (
            <Button
              component={Link}
              to={paths.alarmChannelCreate}
              size="xs"
              leftSection={<IconPlus size={16} />}
            >
              Add channel
            </Button>
          )}
        </Group>
      }
      list={channelQueries.list}
      searchLabel="Search channels"
      empty={{
        title: 'No channels yet',
        hint: 'Without a channel alarms are shown by the bell only. Add an e-mail or a webhook.',
      }}
      columns={[...columns, ...(mayEdit ? [testColumn] : [])]}
      renderActions={(row, ask) => (
        <RowActions
          name={row.name}
          editPath={mayEdit ? paths.alarmChannelEdit(row.id) : undefined}
          onDelete={mayEdit ? ask : undefined}
        />
      )}
      renderDialog={(row, onClose) => (
        <DeleteDialog
          row={row}
          noun="channel"
          renderConsequences={(channel) => (
            <Text size="sm">
              <b>{channel.name}</b> is told nothing more. What waits to be sent there is given up.
            </Text>
          )}
          remove={(channel) => deletion.mutateAsync(channel.id)}
          onClose={onClose}
        />
      )}
    />
  )
}

const columns: Column<AlarmChannelRecord, 'id' | 'name'>[] = [
  {
    head: 'Channel',
    isName: true,
    sort: 'name',
    cell: (row) => (
      <Group gap="sm">
        <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {row.name}
        </Text>
        <StatusWord color={row.is_on ? 'green' : 'gray'}>{row.is_on ? 'On' : 'Off'}</StatusWord>
      </Group>
    ),
  },
  {
    head: 'Sends to',
    width: '36%',
    cell: (row) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {row.kind === 'webhook' ? row.url : `${row.to.join(', ')}, by ${row.host}`}
      </Text>
    ),
  },
]

const testColumn: Column<AlarmChannelRecord, 'id' | 'name'> = {
  head: 'Test',
  width: '16rem',
  cell: (row) => <TestButton channel={row} />,
}

/** Sends a message now, and shows what the receiver answered. */
function TestButton({ channel }: { channel: AlarmChannelRecord }) {
  const test = useTestChannel()
  const [answer, setAnswer] = useState<{ ok: boolean; answer: string }>()

  async function handleTest() {
    setAnswer(undefined)
    try {
      setAnswer(await test.mutateAsync(channel.id))
    } catch (error) {
      setAnswer({ ok: false, answer: messageOf(error) })
    }
  }
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        px={6}
        ms={-6}
        loading={test.isPending}
        onClick={() => void handleTest()}
      >
        Send a test<VisuallyHidden> to {channel.name}</VisuallyHidden>
      </Button>
      {answer && (
        <Alert color={answer.ok ? 'green' : 'red'} role="alert" mt={6} p="xs">
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {answer.ok ? 'Sent. ' : 'Not sent. '}
            {answer.answer}
          </Text>
        </Alert>
      )}
    </>
  )
}
