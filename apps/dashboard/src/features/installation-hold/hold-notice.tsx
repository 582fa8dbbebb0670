import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { InstallationHold } from '@gatehouse/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { GapDialog } from './gap-dialog.tsx'
import { ReleaseDialog } from './release-dialog.tsx'

const titleWords: Record<InstallationHold['reason'], string> = {
  restore: 'A backup was restored: nothing is sent without a person',
  older_database: 'The database is older than what was sent: nothing is sent without a person',
}

export function HoldNotice({ hold }: { hold: InstallationHold }) {
  const can = useCan()
  const [isOpen, setIsOpen] = useState(false)
  const [isChecking, setIsChecking] = useState(false)
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      title={titleWords[hold.reason]}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Text size="sm">
        {hold.reason === 'restore' ? (
          <>
            The backup is of <Moment at={hold.backup_made_at} hasZone />.
          </>
        ) : (
          <>
            The database was last written at <Moment at={hold.backup_made_at} hasZone />.
          </>
        )}{' '}
        What was sent later is not known here, so lanes, schedules and callbacks wait since{' '}
        <Moment at={hold.held_since} hasZone />. Calls of programs are taken and wait too.
      </Text>
      {can('run.view') && (
        <Text size="sm" mt={4}>
          <Anchor component={Link} to={paths.unclear} inherit underline="always">
            What the servers have noted since
          </Anchor>{' '}
          is asked about and sent by nobody meanwhile.
        </Text>
      )}
      {can('workflow.operate') && (
        <Group gap="xs" mt="sm">
          <Button size="xs" variant="default" onClick={() => setIsChecking(true)}>
            Check the gap
          </Button>
          <Button size="xs" color="red" onClick={() => setIsOpen(true)}>
            Release
          </Button>
        </Group>
      )}
      {isChecking && <GapDialog onClose={() => setIsChecking(false)} />}
      <ReleaseDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </Alert>
  )
}
