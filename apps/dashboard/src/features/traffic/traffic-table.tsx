import { Anchor, ScrollArea, Table, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { TrafficEndpoint } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { requestsAddress } from '../../entities/requests-address.ts'
import { useCan } from '../../lib/session/session.tsx'
import { formatCount, formatMs, formatShare } from './format-figures.ts'
import classes from './traffic-panel.module.css'

const columns = [
  { name: 'requests', head: 'Requests' },
  { name: 'errors', head: 'Errors' },
  { name: 'refused', head: 'Refused' },
  { name: 'p50', head: 'p50' },
  { name: 'p99', head: 'p99' },
] as const

/** Endpoints by their traffic, ten at most. */
export function TrafficTable({ title, rows }: { title: string; rows: TrafficEndpoint[] }) {
  return (
    <div>
      <Text component="h3" fw={600} mb="xs">
        {title}
      </Text>
      {/* Focusable: a table that is wider than the window is scrolled by keys as well. */}
      <ScrollArea
        type="auto"
        className={classes['scroll'] ?? ''}
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': title }}
      >
        <Table className={classes['table'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Endpoint</Table.Th>
              {columns.map(({ name, head }) => (
                <Table.Th key={name} scope="col" className={classes['number'] ?? ''}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.endpoint_id} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </div>
  )
}

function Row({ row }: { row: TrafficEndpoint }) {
  const { requests, errors, refused, p50, p99 } = row
  const figures = {
    requests: <Count requests={requests} endpointId={row.endpoint_id} />,
    errors: errors === 0 ? '0' : `${formatCount(errors)} (${formatShare(errors, requests)})`,
    refused: formatCount(refused),
    p50: formatMs(p50),
    p99: formatMs(p99),
  } satisfies Record<(typeof columns)[number]['name'], ReactNode>
  return (
    <Table.Tr>
      <Table.Td className={classes['name'] ?? ''}>
        <Name row={row} />
      </Table.Td>
      {columns.map(({ name }) => (
        <Table.Td key={name} className={classes['number'] ?? ''}>
          {figures[name]}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

/** Leads to these requests. */
function Count({ requests, endpointId }: { requests: number; endpointId: number }) {
  const can = useCan()
  if (!can('log.view')) return formatCount(requests)
  return (
    <Anchor component={Link} to={requestsAddress({ endpoint: endpointId })} size="sm">
      {formatCount(requests)}
      <VisuallyHidden> requests</VisuallyHidden>
    </Anchor>
  )
}

function Name({ row: { endpoint_id, summery, method_type, path } }: { row: TrafficEndpoint }) {
  const canOpen = useCan()('endpoint.edit')
  if (summery === null) return `#${endpoint_id}, deleted since`
  return (
    <>
      {canOpen ? (
        <Anchor component={Link} to={paths.endpointEdit(endpoint_id)} size="sm">
          {summery}
        </Anchor>
      ) : (
        summery
      )}
      <Text size="xs" c="dimmed" ff="monospace">
        {method_type?.toUpperCase()} {path}
      </Text>
    </>
  )
}
