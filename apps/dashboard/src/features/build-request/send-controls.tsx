import { Button, Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useCan } from '../../lib/session/session.tsx'
import { useHasUnresolved } from '../../ui/text/unresolved.tsx'
import classes from './build-request.module.css'
import { Accepted, Failure, LeftOpen } from './exchange-status.tsx'
import type { OpenSend } from './kept-form.ts'
import { verdictOf } from './send-verdict.ts'
import type { Exchange } from './use-exchange.ts'
import type { Sent } from './what-is-sent.ts'

interface SendControlsProps {
  exchange: Exchange
  openSend: OpenSend | null
  sent: Sent
  /** Why the mapping can't be sent as it is; undefined when it can. */
  hindrance: string | undefined
  onSend: () => void
  onChecked: () => void
}

/** Says which of the two will be sent, sends it, and shows what became of it. */
export function SendControls(props: SendControlsProps) {
  const { exchange, openSend, hindrance, onChecked } = props
  const can = useCan()
  const hasUnresolved = useHasUnresolved()
  const isWorking = exchange.status === 'working'
  const verdict = useMemo(
    () => (exchange.status === 'failed' ? verdictOf(exchange.error, 'send') : undefined),
    [exchange],
  )
  return (
    <>
      <Text size="sm" id="what-is-sent">
        {describeSent(props.sent)}
        {hindrance !== undefined && (
          <Text span size="sm" c="var(--mantine-color-error)">
            {' '}
            {hindrance}
          </Text>
        )}
      </Text>
      <Group gap="sm">
        <Button
          data-send
          onClick={props.onSend}
          loading={isWorking}
          disabled={hindrance !== undefined || hasUnresolved || !can('request.send')}
          aria-describedby="what-is-sent"
        >
          Send
        </Button>
        <output className={classes['status']}>
          {isWorking && 'Sending… Wait for the answer: what has left cannot be called back.'}
          {exchange.status === 'done' && <Accepted verb="Sent" answer={exchange.answer} />}
          {!can('request.send') && 'Your roles do not let you send.'}
        </output>
      </Group>
      {verdict && (
        <Failure verdict={verdict} {...(verdict.kind === 'unknown' ? { onChecked } : {})} />
      )}
      {openSend && !verdict && !isWorking && <LeftOpen openSend={openSend} onChecked={onChecked} />}
    </>
  )
}

function describeSent(sent: Sent): string {
  switch (sent.kind) {
    case 'nothing':
      return 'Nothing to send yet: add a mapping row, or type a finished body.'
    case 'mapping':
      return sent.rowCount === 1
        ? 'Send takes the mapped JSON (1 row), because Body is blank.'
        : `Send takes the mapped JSON (${sent.rowCount} rows), because Body is blank.`
    case 'body':
      return 'Send takes the finished body above as it is. The mapping is not used.'
    case 'body-as-rows':
    default:
      return 'The body above has the shape of mapping rows: Send applies them to the fetched JSON.'
  }
}
