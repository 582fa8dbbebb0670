import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Code,
  CloseButton,
  Group,
  Stack,
  Text,
} from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { GatewayRequest } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useEscape } from '../../lib/page/use-escape.ts'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import type { RequestFilterName } from './request-filter.ts'
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

interface RequestPanelProps {
  row: GatewayRequest
  server: string
  /** The gateway runs alone: its log is not in the Log Viewer of this server. */
  isLone: boolean
  onClose: () => void
  /** Shows the request that is above in the list; absent at its end. */
  onNewer: (() => void) | undefined
  /** Shows the one below. */
  onOlder: (() => void) | undefined
  onFilter: (changes: Partial<Record<RequestFilterName, string>>) => void
}

/** All that is known of a request, beside the list, which stays usable. */
export function RequestPanel(props: RequestPanelProps) {
  const { row, server, isLone, onClose, onNewer, onOlder, onFilter } = props
  const panel = useRef<HTMLElement>(null)
  useEscape(true, onClose)
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  function handleKey(event: KeyboardEvent) {
    const go = { ArrowUp: onNewer, ArrowDown: onOlder }[event.key]
    // The text of the panel scrolls by them.
    if (!go || event.target !== panel.current) return
    event.preventDefault()
    go()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its buttons do what the keys do
    <aside
      ref={panel}
      className={classes['panel']}
      aria-label="Details of the request"
      tabIndex={-1}
      onKeyDown={handleKey}
    >
      <div className={classes['panelHead']}>
        <Badge color={statusColor(row)}>{statusWords(row)}</Badge>
        <Text fw={600} style={{ flex: 1 }}>
          {row.method}
        </Text>
        <Step label="Newer request" Icon={IconChevronUp} go={onNewer} />
        <Step label="Older request" Icon={IconChevronDown} go={onOlder} />
        <CloseButton aria-label="Close the details" onClick={onClose} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <div className={classes['panelText']} tabIndex={0}>
        <Stack gap="md">
          <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {row.path}
          </Text>
          <Reason row={row} />
          <TimeBar row={row} />
          <Facts facts={factsOf(row, server)} />
          <Leads row={row} isLone={isLone} />
          <Only row={row} onFilter={onFilter} />
        </Stack>
      </div>
    </aside>
  )
}

interface StepProps {
  label: string
  Icon: typeof IconChevronUp
  go: (() => void) | undefined
}

function Step({ label, Icon, go }: StepProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={!go} onClick={go}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}

/** Why the gateway answered itself, or what it noted about a request that went through. */
function Reason({ row: { code, reason, detail } }: { row: GatewayRequest }) {
  if (code === '') {
    return detail === '' ? null : (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {detail}
      </Text>
    )
  }
  return (
    <div>
      <Text size="sm" fw={600}>
        {reason === '' ? 'The gateway answered itself.' : reason}
      </Text>
      <Text size="xs" c="dimmed">
        <Code>{code}</Code> {detail}
      </Text>
    </div>
  )
}

/** How the time was spent, as far as the log knows it. */
function TimeBar({ row: { duration_ms, upstream_ms } }: { row: GatewayRequest }) {
  const own = Math.max(0, duration_ms - upstream_ms)
  const share = duration_ms === 0 ? 0 : Math.min(100, (upstream_ms / duration_ms) * 100)
  return (
    <div>
      <Text size="sm">
        Took <b>{formatTaken(duration_ms)}</b>: the upstream {formatTaken(upstream_ms)}, the gateway{' '}
        and the client {formatTaken(own)}.
      </Text>
      <div className={classes['bar']} aria-hidden>
        <i style={{ width: `${share}%` }} />
      </div>
    </div>
  )
}

const factsOf = (row: GatewayRequest, server: string): (readonly [string, ReactNode])[] => [
  ['Ended', <Moment key="at" at={row.at} />],
  [
    'Request id',
    <Group key="id" gap="xs">
      <Code>{row.request_id}</Code>
      <CopyButton text={row.request_id} label="Copy" description="request id" />
    </Group>,
  ],
  ['Endpoint', endpointName(row)],
  ['API', row.api ?? (row.api_id === null ? <>none</> : `#${row.api_id}`)],
  [
    'Client',
    row.user_id === null && row.issuer_id === null ? 'no token that counted' : clientName(row),
  ],
  ['Token', tokenName(row) || <>none</>],
  ...(row.issuer_id === null ? [] : [['JWT of', issuerName(row)] as const]),
  ...(row.is_try ? [['Sent by', 'Try it, on the dashboard'] as const] : []),
  ...(row.is_draft ? [['Served by', 'the draft of the API'] as const] : []),
  ...(row.agent === null ? [] : [['Agent', row.agent || 'does not say what it is'] as const]),
  ['Address', row.address],
  ['Upstream status', row.upstream_status ?? 'no answer over HTTP'],
  ['Body received', formatBytes(row.bytes_in, 'decimal')],
  ['Body sent', formatBytes(row.bytes_out, 'decimal')],
  ['Server', server],
]

/** Where to go on from here. */
function Leads({ row, isLone }: Pick<RequestPanelProps, 'row' | 'isLone'>) {
  const can = useCan()
  const entry = new URLSearchParams({ l: `gateway/${row.file}`, entry: String(row.offset) })
  const edit = row.endpoint === null ? undefined : paths.endpointEdit(row.endpoint_id ?? 0)
  return (
    <Group gap="md">
      {edit !== undefined && can('endpoint.edit') && (
        <>
          <Lead to={edit}>Endpoint</Lead>
          {can('request.send') && <Lead to={`${edit}#try-it`}>Try it</Lead>}
          {can('api-permission.view') && <Lead to={`${edit}#callers`}>Who can call this</Lead>}
        </>
      )}
      {row.user !== null && can('user.view') && (
        <Lead to={paths.userEdit(row.user_id ?? 0)}>Client</Lead>
      )}
      {!isLone && <Lead to={`${paths.logs}?${entry.toString()}`}>Log entry</Lead>}
    </Group>
  )
}

function Lead({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} size="sm">
      {children}
    </Anchor>
  )
}

function Only({ row, onFilter }: Pick<RequestPanelProps, 'row' | 'onFilter'>) {
  const ids = [
    { name: 'endpoint', word: 'endpoint', id: row.endpoint_id },
    { name: 'api', word: 'API', id: row.api_id },
    { name: 'client', word: 'client', id: row.user_id },
    { name: 'token', word: 'token', id: row.token_id },
  ] as const
  return (
    <Group gap="xs">
      {ids.map(
        ({ name, word, id }) =>
          id !== null && (
            <Button
              key={name}
              variant="default"
              size="compact-sm"
              onClick={() => onFilter({ [name]: String(id) })}
            >
              Only this {word}
            </Button>
          ),
      )}
    </Group>
  )
}
