import { Group, Paper, Text } from '@mantine/core'
import type { RunDetail, RunStepDetail } from '@gatehouse/contract'
import { durationWords } from '../../lib/format/age-words.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Fold } from '../../ui/page/fold.tsx'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { StepBadge } from '../../entities/run/run-badges.tsx'
import { RunLink } from '../../entities/run/run-link.tsx'
import { isAway } from './archived-notice.tsx'
import { AwayText } from './away-text.tsx'
import { AttemptList } from './attempt-list.tsx'
import { HeaderLines } from './header-lines.tsx'
import { KeptBody } from './kept-body.tsx'
import classes from './runs.module.css'
import { PendingStep } from './pending-step.tsx'
import { StepDocuments } from './step-documents.tsx'
import { inOrderOfNeed, isFolded } from './step-order.ts'
import { UnknownStep } from './unknown-step.tsx'

/**
 * Every step of a run: its state, what was sent, what came back. The step that needs somebody comes first;
 * a step that is done is one line where there are others.
 */
export function RunSteps({ run }: { run: RunDetail }) {
  return (
    <ol className={classes['steps']} aria-label="Steps">
      {inOrderOfNeed(run).map((step) => (
        <Paper
          key={step.position}
          component="li"
          className={classes['card'] ?? ''}
          data-unknown={step.state === 'unknown' || undefined}
        >
          {isFolded(run, step) ? (
            <Fold title={<StepLine step={step} hasReference />}>
              <StepContent run={run} step={step} />
            </Fold>
          ) : (
            <>
              <StepLine step={step} />
              <StepContent run={run} step={step} />
            </>
          )}
        </Paper>
      ))}
    </ol>
  )
}

function StepContent({ run, step }: { run: RunDetail; step: RunStepDetail }) {
  return (
    <>
      <StepNotes step={step} />
      {(step.state === 'unknown' || step.can.resolve) && <UnknownStep run={run} step={step} />}
      {step.pending !== null && <PendingStep run={run} step={step} pending={step.pending} />}
      {step.documents.length > 1 && <StepDocuments step={step} />}
      {step.url !== null && <Request step={step} isAway={isAway(run)} />}
      {step.attempts.length > 0 && <AttemptList runId={run.id} step={step} isAway={isAway(run)} />}
    </>
  )
}

/** `hasReference`: the line stands for the whole step, and names what the authority calls it. */
function StepLine({ step, hasReference = false }: { step: RunStepDetail; hasReference?: boolean }) {
  const reference = step.attempts.findLast((attempt) => attempt.reference)?.reference
  const last = step.attempts.findLast(
    ({ kind, status }) => status !== null && (kind === 'send' || kind === 'resend'),
  )
  return (
    <Group gap="xs" className={classes['line'] ?? ''}>
      <Text component="h3" m={0} size="sm" fw={600}>
        Step {step.position}
      </Text>
      <MethodBadge method={step.method.toLowerCase()} />
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {step.endpoint_name}
      </Text>
      <StepBadge state={step.state} />
      {last && (
        <Text size="sm" c="dimmed">
          status {last.status}
          {last.duration_ms !== null && ` · ${durationWords(last.duration_ms)}`}
        </Text>
      )}
      {hasReference && reference && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          reference <bdi>{reference}</bdi>
        </Text>
      )}
    </Group>
  )
}

function StepNotes({ step }: { step: RunStepDetail }) {
  return (
    <div style={{ marginBottom: 6 }}>
      {step.message !== null && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {serverWords(step.message)}
          {step.blocked_by !== null && step.state !== 'succeeded' && (
            <>
              {' '}
              See <RunLink id={step.blocked_by} />.
            </>
          )}
        </Text>
      )}
      {step.is_reused && (
        <Text size="sm" c="dimmed" mt={4}>
          The answer of the earlier run is used; nothing was sent for this step.
        </Text>
      )}
      {step.not_before !== null && (
        <Text size="sm" mt={4}>
          The endpoint asks to wait until <Moment at={step.not_before} />.
        </Text>
      )}
    </div>
  )
}

function Request({ step, isAway: isBodyAway }: { step: RunStepDetail; isAway: boolean }) {
  const curl = isBodyAway ? undefined : stepCurl(step)
  const isSent = step.state !== 'would_send'
  return (
    <Fold title={isSent ? 'Request' : 'What would be sent'}>
      <Group justify="space-between" align="flex-start" gap="xs" mb={6}>
        <div className={classes['url']}>
          {step.method} {step.url}
        </div>
        {curl !== undefined && (
          <CopyButton
            text={curl}
            label="Copy as curl"
            description={`the request of step ${step.position}, without its secrets`}
          />
        )}
      </Group>
      <HeaderLines headers={step.headers} />
      {step.has_credential && (
        <Text size="xs" c="dimmed" mb="xs">
          A credential goes along, which is shown and kept nowhere.
        </Text>
      )}
      {isBodyAway && <AwayText />}
      {step.body && <KeptBody label={`Request of step ${step.position}`} kept={step.body} />}
      {step.dependency_field !== null && step.dependency_field !== '' && (
        <Text size="xs" c="dimmed" mt="xs">
          Taken from the answer of step 1: {step.dependency_field}
        </Text>
      )}
    </Fold>
  )
}

/**
 * A command line that sends what a step sent; `$TOKEN` stands for the credential, which is kept
 * nowhere. Undefined where nothing was frozen, or where the body is too long to be shown whole.
 */
export function stepCurl(step: RunStepDetail): string | undefined {
  if (step.url === null || step.body?.is_whole === false) return undefined
  const lines = [`curl -X ${step.method} ${quote(step.url)}`]
  for (const [name, value] of Object.entries(step.headers)) {
    lines.push(`-H ${quote(`${name}: ${value}`)}`)
  }
  if (step.has_credential) lines.push('-H "Authorization: Bearer $TOKEN"')
  if (step.body !== null && step.body.text !== '')
    lines.push(`--data-binary ${quote(step.body.text)}`)
  return lines.join(' \\\n  ')
}

/** Single quotes hold everything for a shell but themselves. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
