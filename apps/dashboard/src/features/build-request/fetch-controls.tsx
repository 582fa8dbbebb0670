import { Button, Group } from '@mantine/core'
import { useMemo } from 'react'
import { useCan } from '../../lib/session.tsx'
import classes from './build-request.module.css'
import { Accepted, Failure } from './exchange-status.tsx'
import { verdictOf } from './send-verdict.ts'
import type { Exchange } from './use-exchange.ts'

interface FetchControlsProps {
  exchange: Exchange
  onCancel: () => void
}

/** The Get button, and what became of the last Get. */
export function FetchControls({ exchange, onCancel }: FetchControlsProps) {
  const can = useCan()
  const isWorking = exchange.status === 'working'
  const verdict = useMemo(
    () => (exchange.status === 'failed' ? verdictOf(exchange.error, 'fetch') : undefined),
    [exchange],
  )
  return (
    <>
      <Group gap="sm">
        <Button type="submit" loading={isWorking} disabled={!can('request.fetch')}>
          Get
        </Button>
        {isWorking && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <output className={classes['status']}>
          {isWorking && 'Fetching…'}
          {exchange.status === 'cancelled' && 'Cancelled.'}
          {exchange.status === 'done' && <Accepted deed="Fetched" answer={exchange.answer} />}
          {!can('request.fetch') && 'Your roles do not let you fetch.'}
        </output>
      </Group>
      {verdict && <Failure verdict={verdict} />}
    </>
  )
}
