import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { RunSummary } from '@gatehouse/contract'
import { RunLink } from '../../entities/run/run-link.tsx'
import { buildRequestMessages } from './build-request-messages.ts'
import type { OpenSend } from './kept-form.ts'
import type { ReadAnswer } from './mapping-engine.ts'
import type { Verdict } from './send-verdict.ts'

/** Beside the button: it went well. */
export function Accepted({ verb, answer }: { verb: string; answer: ReadAnswer }) {
  const status = answer.run?.steps.at(-1)?.status
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconCircleCheck size={18} color="var(--mantine-color-teal-7)" aria-hidden />
      <Text size="sm">
        {[verb, status && `status ${status}`, timeTaken(answer.run)].filter(Boolean).join(' · ')}
        {answer.run && (
          <>
            {' · '}
            <RunLink id={answer.run.id} />
          </>
        )}
      </Text>
    </Group>
  )
}

interface FailureProps {
  verdict: Verdict
  /** Present for an unknown outcome: the person says that they have looked. */
  onChecked?: () => void
}

/** Beside the button: it did not go well. An unknown outcome looks like nothing else on the page. */
export function Failure({ verdict, onChecked }: FailureProps) {
  if (verdict.kind === 'unknown') {
    return (
      <UnknownOutcome advice={buildRequestMessages.unknownAdvice} onChecked={onChecked}>
        <Details verdict={verdict} />
      </UnknownOutcome>
    )
  }
  return (
    <Alert color="red" role="alert" title={verdict.title} icon={<IconCircleX aria-hidden />}>
      <Details verdict={verdict} />
    </Alert>
  )
}

/** A Send that this page began before it was reloaded or left, and never saw the end of. */
export function LeftOpen({ openSend, onChecked }: { openSend: OpenSend; onChecked: () => void }) {
  return (
    <UnknownOutcome advice={buildRequestMessages.leftWhileSending} onChecked={onChecked}>
      <Text size="sm">
        To {openSend.endpoint}, {new Date(openSend.startedAt).toLocaleString()}
      </Text>
    </UnknownOutcome>
  )
}

interface UnknownOutcomeProps {
  advice: string
  onChecked?: (() => void) | undefined
  children: React.ReactNode
}

function UnknownOutcome({ advice, onChecked, children }: UnknownOutcomeProps) {
  return (
    <Alert
      color="yellow.4"
      variant="filled"
      role="alert"
      title={buildRequestMessages.unknownTitle}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" fw={600}>
          {advice}
        </Text>
        {children}
        {onChecked && (
          <Button variant="white" color="dark" size="compact-sm" onClick={onChecked}>
            I have checked
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function Details({ verdict }: { verdict: Verdict }) {
  return (
    <Stack gap={4}>
      {verdict.details.map((sentence) => (
        <Text size="sm" key={sentence} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {verdict.run && <RunLink id={verdict.run.id} />}
        {verdict.run && verdict.requestId !== undefined && ' · '}
        {verdict.requestId !== undefined && `request ${verdict.requestId}`}
      </Text>
    </Stack>
  )
}

function timeTaken(run: RunSummary | undefined) {
  const duration = run?.steps.at(-1)?.duration_ms
  return typeof duration === 'number' && `${Math.round(duration)} ms`
}
