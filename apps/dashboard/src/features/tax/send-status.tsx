import { Alert, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { IconCircleX } from '@tabler/icons-react'
import type { RunSummary } from '@gatehouse/contract'
import { useEffect, useRef, type ReactNode } from 'react'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { runInTheWay } from '../../entities/run/read-run.ts'
import { runSentence } from '../../entities/run/run-words.ts'
import { Loading } from '../../ui/page/loading.tsx'
import { RunBadge, TestBadge } from '../../entities/run/run-badges.tsx'
import { RunLink } from '../../entities/run/run-link.tsx'
import { HeldForm } from './held-form.tsx'
import { RunProgress } from './run-progress.tsx'
import classes from './tax.module.css'
import { taxMessages } from './tax-messages.ts'
import type { BundleSending } from './use-bundle-sending.ts'

/** Shows a run that has ended, whole; absent for users who may not view runs. */
export type RenderRun = (runId: number) => ReactNode

interface SendStatusProps {
  sending: BundleSending
  /** Fields that show their own message. */
  isField: (name: string) => boolean
  renderRun: RenderRun | undefined
}

/** What became of the last Send: refused, on its way, or ended. */
export function SendStatus(props: SendStatusProps) {
  const { phase } = props.sending
  const place = useRef<HTMLDivElement>(null)
  // It is below the button, so it is scrolled into view.
  useEffect(() => {
    if (phase === 'posting' || phase === 'settled')
      place.current?.scrollIntoView({ block: 'nearest' })
  }, [phase])
  return (
    <div ref={place} className={classes['status']}>
      <Status {...props} />
    </div>
  )
}

function Status({ sending, isField, renderRun }: SendStatusProps) {
  const { phase, run, isGoing, refusal } = sending
  if (refusal !== undefined) return <Refused error={refusal} isField={isField} />
  if (phase === 'lost') return <Lost />
  if (!run) return isGoing && <OnItsWay isSearch={phase === 'searching'} />
  const isWhole = !isGoing && renderRun !== undefined
  return (
    <Paper component="section" className={classes['card'] ?? ''} aria-labelledby="run-title">
      <Stack gap="md">
        <RunTitle run={run} />
        {isWhole ? renderRun(run.id) : <RunProgress run={run} />}
        {sending.isHeld && <HeldForm onStartAnother={sending.handleStartAnother} />}
      </Stack>
    </Paper>
  )
}

function RunTitle({ run }: { run: RunSummary }) {
  return (
    <div>
      <Group gap="xs">
        <Title order={3} id="run-title" tt="capitalize">
          <RunLink id={run.id} />
        </Title>
        <RunBadge state={run.state} isDryRun={run.is_dry_run} />
        {run.is_test && <TestBadge />}
      </Group>
      <Text size="sm" mt={4} aria-live="polite">
        {run.state === 'running' ? goingOn(run) : runSentence(run.state, run.is_dry_run)}
      </Text>
    </div>
  )
}

function goingOn({ steps }: RunSummary): string {
  const current = steps.find(({ state }) => state === 'sending' || state === 'waiting')
  const place = current ? `Step ${current.position} of ${steps.length}: ` : ''
  return `${place}waiting for the answer. You may leave or reload this page: the run goes on.`
}

function OnItsWay({ isSearch }: { isSearch: boolean }) {
  return (
    <Paper className={classes['card'] ?? ''}>
      <Loading text={isSearch ? 'Looking up what became of your last request…' : 'Sending…'} />
    </Paper>
  )
}

function Lost() {
  return (
    <Alert color="blue" title={taxMessages.lost}>
      {taxMessages.lostAdvice}
    </Alert>
  )
}

function Refused({ error, isField }: { error: unknown; isField: (name: string) => boolean }) {
  const { errors = {}, requestId } = error instanceof CallError ? error : {}
  const blocking = runInTheWay(error)
  const stray = Object.entries(errors).flatMap(([field, messages]) =>
    isField(field) ? [] : messages,
  )
  return (
    <Alert
      color="red"
      role="alert"
      title={taxMessages.nothingSent}
      icon={<IconCircleX aria-hidden />}
    >
      <Text size="sm">
        {messageOf(error)}
        {blocking !== undefined && (
          <>
            {' '}
            See <RunLink id={blocking} />.
          </>
        )}
      </Text>
      {stray.length > 0 && (
        <List size="sm">
          {stray.map((message) => (
            <List.Item key={message}>{message}</List.Item>
          ))}
        </List>
      )}
      {requestId !== undefined && (
        <Text size="xs" mt={4} style={{ overflowWrap: 'anywhere' }}>
          request {requestId}
        </Text>
      )}
    </Alert>
  )
}
