import { Button, Group } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { paths } from '../../entities/paths.ts'

const tabs = [
  { label: 'Alarms', path: paths.alarms },
  { label: 'Rules', path: paths.alarmRules },
  { label: 'Channels', path: paths.alarmChannels },
]

/** Leads to what belongs to alarms. */
export function AlarmTabs() {
  const { pathname } = useLocation()
  return (
    <Group component="nav" aria-label="Alarms" gap={4}>
      {tabs.map(({ label, path }) => (
        <Button
          key={path}
          component={Link}
          to={path}
          size="xs"
          variant={path === pathname ? 'light' : 'subtle'}
          {...(path === pathname ? { 'aria-current': 'page' as const } : {})}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}
