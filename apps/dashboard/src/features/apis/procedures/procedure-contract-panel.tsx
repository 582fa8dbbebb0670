import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ProcedureContract } from '@gatehouse/contract'
import { useCan } from '../../../lib/session/session.tsx'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { apiQueries, useContractAction } from '../api-queries.ts'
import { DriftBadge } from './drift-badge.tsx'
import classes from './procedure-contract-panel.module.css'

/** The contract lock: what callers of the procedure were promised, and what has changed since. */
export function ProcedureContractPanel({ apiId }: { apiId: number }) {
  const query = useQuery(apiQueries.contract(apiId))
  const check = useContractAction(apiId, 'check')
  const accept = useContractAction(apiId, 'accept')
  const canEdit = useCan()('api.edit')
  const contract = query.data
  if (!contract) return null
  return (
    <FormCard title="Contract lock" description={<Summary contract={contract} />}>
      {contract.check_failure !== null && (
        <Alert color="orange" title="The last check could not be made">
          {contract.check_failure}
        </Alert>
      )}
      {contract.drift && <Drift contract={contract} />}
      {canEdit && (
        <Group gap="sm">
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
          {contract.drift && (
            <Button loading={accept.isPending} onClick={() => accept.mutate()}>
              Accept as the new contract
            </Button>
          )}
        </Group>
      )}
    </FormCard>
  )
}

function Summary({
  contract: { method, locked, drift, checked_at },
}: {
  contract: ProcedureContract
}) {
  if (!locked)
    return `${method} could not be read yet: it is locked at the first check that succeeds.`
  return (
    <>
      {method}, as it was <Moment at={locked.at} />.{' '}
      {drift ? 'It has changed since.' : 'It has not changed since.'}
      {checked_at && (
        <>
          {' '}
          Last checked <Moment at={checked_at} isRelative />.
        </>
      )}
    </>
  )
}

function Drift({ contract: { locked, drift } }: { contract: ProcedureContract }) {
  if (!locked || !drift) return null
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <DriftBadge kind={drift.kind} />
        <Text size="sm">
          seen <Moment at={drift.seen_at} isRelative />
        </Text>
      </Group>
      <ul className={classes['changes']}>
        {drift.changes.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {[
          { title: 'Promised', version: locked },
          { title: 'Now', version: drift },
        ].map(({ title, version }) => (
          <div key={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <pre className={classes['version']}>{describeVersion(version)}</pre>
          </div>
        ))}
      </SimpleGrid>
    </Stack>
  )
}

type Version = Pick<NonNullable<ProcedureContract['locked']>, 'signature' | 'shapes'>

/** A procedure's signature and results as lines of text, to set two versions side by side. */
function describeVersion({ signature, shapes }: Version): string {
  const parameters = signature.parameters.map(
    ({ direction, name, type, hasDefault }) =>
      `  ${direction} ${name} ${type}${hasDefault ? ' (may be left out)' : ''}`,
  )
  const sets = (shapes ?? []).flatMap((columns, at) => [
    `record set ${at + 1}`,
    ...columns.map(({ name, type }) => `  ${name} ${type}`),
  ])
  return [
    `${signature.schema}.${signature.name}${signature.isReadOnly ? ', reads only' : ''}`,
    ...(parameters.length > 0 ? parameters : ['  no parameters']),
    ...(shapes === null ? ['results: not seen yet'] : sets),
  ].join('\n')
}
