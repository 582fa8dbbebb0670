import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { GatewayStatus } from '@gatehouse/contract'
import { apiFaultWords } from '../../entities/api/api-fault-words.ts'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import classes from './gateway-alerts.module.css'

export function GatewayAlerts({ gateway }: { gateway: GatewayStatus }) {
  const { refusal, faults, published_revision } = gateway
  return (
    <>
      {refusal && <RefusalAlert refusal={refusal} kept={published_revision} />}
      {faults.length > 0 && <FaultsAlert faults={faults} />}
    </>
  )
}

interface RefusalAlertProps {
  refusal: NonNullable<GatewayStatus['refusal']>
  /** The configuration that stays in force; null: none that this server has published. */
  kept: number | null
}

function RefusalAlert({ refusal, kept }: RefusalAlertProps) {
  // Revision 0 could not be read, so that its number is not known.
  const what =
    refusal.revision === 0 ? 'It was refused' : `Configuration ${refusal.revision} was refused`
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      title="The last change is not in force"
      icon={<IconAlertTriangle aria-hidden />}
    >
      {refusal.reason} {what} on <Moment at={refusal.at} hasZone />. The gateway keeps{' '}
      {kept === null ? 'the configuration from before that change' : `configuration ${kept}`}, and
      tries the new one again every two seconds.
    </Alert>
  )
}

/** How many APIs are named; the list of APIs marks them all. */
const namedMax = 5

function FaultsAlert({ faults }: { faults: GatewayStatus['faults'] }) {
  const rest = faults.length - namedMax
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      title="The gateway does not serve all of the configuration"
      icon={<IconAlertTriangle aria-hidden />}
    >
      <ul className={classes['faults']}>
        {faults.slice(0, namedMax).map(({ api_id, name, fault }) => (
          <li key={`${api_id} ${fault}`}>
            <FaultLink apiId={api_id} name={name} />: {apiFaultWords[fault].what}.
          </li>
        ))}
        {rest > 0 && <li>And {rest} more: the list of APIs marks them.</li>}
      </ul>
    </Alert>
  )
}

function FaultLink({ apiId, name }: { apiId: number; name: string }) {
  const can = useCan()
  if (!can('api.edit')) return name
  return (
    <Anchor component={Link} to={paths.apiEdit(apiId)} size="sm">
      {name}
    </Anchor>
  )
}
