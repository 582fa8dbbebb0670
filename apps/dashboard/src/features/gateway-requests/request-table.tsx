import { Badge, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { GatewayRequest } from '@gatehouse/contract'
import { dateFormat } from '../../lib/format/date-format.ts'
import { DataTable, type Column } from '../../ui/table/data-table.tsx'
import { opens } from '../../ui/table/open-row.ts'
import classes from './request-page.module.css'
import {
  clientName,
  endpointName,
  formatTaken,
  statusColor,
  statusWords,
  issuerName,
  tokenName,
} from './request-words.ts'

interface RequestTableProps {
  rows: GatewayRequest[]
  /** The one whose details are shown. */
  opened: GatewayRequest | undefined
  onOpen: (row: GatewayRequest) => void
}

export const rowKey = ({ file, offset }: GatewayRequest) => `${file}:${offset}`

/** Requests, a line each; the time opens the details. */
export function RequestTable({ rows, opened, onOpen }: RequestTableProps) {
  return (
    <DataTable
      caption="Gateway requests"
      columns={[timeColumn(onOpen), ...columns]}
      rows={rows}
      rowKey={rowKey}
      current={opened && rowKey(opened)}
    />
  )
}

const timeColumn = (onOpen: RequestTableProps['onOpen']): Column<GatewayRequest, string> => ({
  head: 'Time',
  width: '11.5rem',
  cell: (row) => (
    <UnstyledButton className={classes['time'] ?? ''} onClick={() => onOpen(row)} {...opens}>
      <time dateTime={row.at} title={row.at}>
        {timeWords(new Date(row.at))}
      </time>
      <VisuallyHidden>, details of the request {row.request_id}</VisuallyHidden>
    </UnstyledButton>
  ),
})

const timeWords = dateFormat({
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  // Requests come in bursts.
  fractionalSecondDigits: 3,
})

const columns: Column<GatewayRequest, string>[] = [
  {
    head: 'Method',
    width: '5rem',
    cell: ({ method }) => (
      <Text size="xs" fw={600} ff="monospace">
        {method}
      </Text>
    ),
  },
  {
    head: 'Path',
    isName: true,
    cell: ({ path, code }) => (
      <Text size="sm" ff="monospace" className={classes['cut'] ?? ''} title={path}>
        {path === '' ? code : path}
      </Text>
    ),
  },
  {
    head: 'Status',
    width: '7rem',
    cell: (row) => (
      <Group gap={4}>
        <Badge variant="light" color={statusColor(row)}>
          {statusWords(row)}
        </Badge>
        {row.code === '' && row.detail !== '' && (
          <Badge variant="outline" color="gray" title={row.detail}>
            note
          </Badge>
        )}
      </Group>
    ),
  },
  {
    head: 'Took',
    width: '5.5rem',
    cell: ({ duration_ms }) => (
      <Text size="sm" className={classes['figure'] ?? ''}>
        {formatTaken(duration_ms)}
      </Text>
    ),
  },
  {
    head: 'Endpoint',
    width: '17%',
    cell: (row) => <Two first={endpointName(row)} second={row.api ?? ''} />,
  },
  {
    head: 'Client',
    width: '15%',
    cell: (row) => <Two first={clientName(row)} second={tokenName(row) || issuerName(row)} />,
  },
]

/** Two names in one line, the second one quieter. */
function Two({ first, second }: { first: string; second: string }) {
  return (
    <Text size="sm" className={classes['cut'] ?? ''} title={`${first} ${second}`.trim()}>
      {first}{' '}
      {second !== '' && (
        <Text span size="xs" c="dimmed">
          {second}
        </Text>
      )}
    </Text>
  )
}
