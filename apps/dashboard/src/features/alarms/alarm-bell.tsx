import {
  ActionIcon,
  Anchor,
  Button,
  FocusTrap,
  Group,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core'
import { IconBell, IconBellRinging } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { AlarmBell as Bell, AlarmRecord } from '@gatehouse/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { ageWords } from '../../lib/format/age-words.ts'
import { useIsPastFirstPaint } from '../../lib/page/first-paint.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { CornerPanel } from '../../ui/page/corner-panel.tsx'
import classes from './alarm-bell.module.css'
import { alarmQueries, useAlarmActions } from './alarm-queries.ts'
import { acknowledgedWords } from './alarms-messages.ts'

/** In the header: how many alarms nobody has acknowledged, and the newest of them. */
export function AlarmBell() {
  const can = useCan()
  return can('alarm.view') ? <BellButton /> : null
}

const countWords = (count: number) =>
  count === 0 ? 'No open alarms' : count === 1 ? '1 open alarm' : `${count} open alarms`

function BellButton() {
  const { data } = useQuery({ ...alarmQueries.bell(), enabled: useIsPastFirstPaint() })
  const [isOpen, setIsOpen] = useState(false)
  const count = data?.count ?? 0
  const BellIcon = count > 0 ? IconBellRinging : IconBell
  return (
    <CornerPanel
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      button={
        <ActionIcon
          className={classes['bell'] ?? ''}
          variant="subtle"
          color="gray"
          size={34}
          radius="xl"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <BellIcon size={20} stroke={1.6} aria-hidden />
          {count > 0 && (
            <span className={classes['count']} aria-hidden>
              {count > 99 ? '99+' : count}
            </span>
          )}
          <VisuallyHidden>{countWords(count)}</VisuallyHidden>
        </ActionIcon>
      }
    >
      {data && (
        <FocusTrap>
          <section className={classes['panel']} aria-label="Alarms">
            <BellList bell={data} onLeave={() => setIsOpen(false)} />
          </section>
        </FocusTrap>
      )}
    </CornerPanel>
  )
}

function BellList({ bell, onLeave }: { bell: Bell; onLeave: () => void }) {
  const { count, alarms, checked_at } = bell
  return (
    <Stack gap="sm">
      <Text fw={600} size="sm">
        {countWords(count)}
      </Text>
      {count === 0 ? (
        <Text size="sm" c="dimmed">
          {checked_at === null
            ? 'The rules have not been looked at yet.'
            : `The rules were looked at ${ageWords(checked_at)} ago.`}
        </Text>
      ) : (
        <ul className={classes['list']}>
          {alarms.map((alarm) => (
            <BellItem key={alarm.id} alarm={alarm} onLeave={onLeave} />
          ))}
        </ul>
      )}
      <Group justify="flex-end">
        <Button component={Link} to={paths.alarms} size="xs" variant="default" onClick={onLeave}>
          {count > alarms.length ? `All ${count} alarms` : 'All alarms'}
        </Button>
      </Group>
    </Stack>
  )
}

function BellItem({ alarm, onLeave }: { alarm: AlarmRecord; onLeave: () => void }) {
  const can = useCan()
  const { acknowledge } = useAlarmActions()

  async function handleAcknowledge() {
    try {
      await acknowledge.mutateAsync({ ids: [alarm.id], note: '' })
      notifySuccess(acknowledgedWords(1))
    } catch (error) {
      notifyError('The alarm was not acknowledged.', messageOf(error))
    }
  }
  return (
    <li className={classes['item']}>
      <Anchor component={Link} to={alarm.path} size="sm" onClick={onLeave}>
        {serverWords(alarm.title)}
      </Anchor>
      {can('alarm.operate') && (
        <Button
          size="compact-xs"
          variant="default"
          loading={acknowledge.isPending}
          onClick={() => void handleAcknowledge()}
        >
          Acknowledge<VisuallyHidden> {serverWords(alarm.title)}</VisuallyHidden>
        </Button>
      )}
      <Text size="xs" c="dimmed">
        for {ageWords(alarm.since)}
      </Text>
    </li>
  )
}
