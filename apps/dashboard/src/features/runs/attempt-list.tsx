import { Text } from '@mantine/core'
import type { RunAttempt, RunStepDetail, AttemptKind, StepState } from '@gatehouse/contract'
import { durationWords } from '../../lib/format/age-words.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { Copied } from '../../ui/text/copied.tsx'
import { Fold } from '../../ui/page/fold.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { AwayText } from './away-text.tsx'
import { HeaderLines } from './header-lines.tsx'
import { KeptBody } from './kept-body.tsx'
import classes from './runs.module.css'
import { WholeAnswer } from './whole-answer.tsx'
import { outcomeWords } from '../../entities/run/run-words.ts'

interface AttemptListProps {
  runId: number
  step: RunStepDetail
  /** Answers are in the archive. */
  isAway: boolean
}

/** Every try of a step, in order; nothing of it is ever changed afterwards. */
export function AttemptList({ runId, step, isAway }: AttemptListProps) {
  return (
    <ol className={classes['attempts']} aria-label={`Attempts of step ${step.position}`}>
      {step.attempts.map((attempt) => (
        <li
          key={attempt.number}
          className={classes['attempt']}
          data-tone={toneOf(attempt, step.state)}
        >
          <Attempt attempt={attempt} runId={runId} position={step.position} isAway={isAway} />
        </li>
      ))}
    </ol>
  )
}

interface AttemptProps {
  attempt: RunAttempt
  runId: number
  position: number
  isAway: boolean
}

function Attempt({ attempt, runId, position, isAway }: AttemptProps) {
  const { status, duration_ms, detail, note, reference, user_name } = attempt
  const facts = [
    status !== null && `status ${status}`,
    duration_ms !== null && durationWords(duration_ms),
    user_name !== null && byWords(user_name),
  ].filter(Boolean)
  const result = attemptResult(attempt)
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {attemptKindWords[attempt.kind]}
        {result !== '' && (
          <>
            {': '}
            <b>{result}</b>
          </>
        )}
      </Text>
      <div className={classes['quiet']}>
        <Moment at={attempt.started_at} />
        {facts.length > 0 && ` · ${facts.join(' · ')}`}
      </div>
      {detail !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {serverWords(detail)}
        </Text>
      )}
      {reference !== null && reference !== '' && (
        <Text component="div" size="sm">
          <Copied text={reference} description="the reference">
            Reference: <bdi>{reference}</bdi>
          </Copied>
        </Text>
      )}
      {note !== null && note !== '' && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          “{serverWords(note)}”
        </Text>
      )}
      {isAway && attempt.status !== null && <AwayText />}
      <Answer attempt={attempt} runId={runId} position={position} />
    </>
  )
}

function Answer({ attempt, runId, position }: Omit<AttemptProps, 'isAway'>) {
  const { kind, number, url, answer_body, answer_headers } = attempt
  if (answer_body === null && answer_headers === null) return null
  return (
    <Fold title="Answer">
      {kind === 'status_query' && url !== null && <div className={classes['url']}>{url}</div>}
      {answer_headers && <HeaderLines headers={answer_headers} />}
      {answer_body && (
        <KeptBody label={`Answer to attempt ${number} of step ${position}`} kept={answer_body} />
      )}
      {answer_body?.is_whole === false && (
        <WholeAnswer runId={runId} position={position} attempt={number} />
      )}
    </Fold>
  )
}

const attemptKindWords: Record<AttemptKind, string> = {
  send: 'Sent',
  resend: 'Sent again, the same bytes',
  status_query: 'Asked what became of it',
  resolved_received: 'A user said that it was received',
  resolved_not_received: 'A user said that it was not received',
  late_answer: 'The answer to an earlier attempt, written down late',
}

/** What an attempt came to. */
function attemptResult(attempt: RunAttempt): string {
  if (attempt.outcome !== null) return outcomeWords[attempt.outcome]
  const isPerson = attempt.kind.startsWith('resolved')
  return attempt.finished_at === null && !isPerson ? 'Under way…' : ''
}

type Tone = 'good' | 'bad' | 'unknown' | 'plain'

/** The colour of its dot: an attempt without a sure outcome is unknown only where the step is. */
function toneOf(attempt: RunAttempt, state: StepState): Tone {
  switch (attempt.outcome) {
    case 'ok':
    case 'ok_duplicate':
      return 'good'
    case 'rejected':
    case 'partial':
    case 'auth':
    case 'duplicate':
      return 'bad'
    case 'cut':
    case 'timeout':
    case 'server_error':
    case 'crash':
      return state === 'unknown' ? 'unknown' : 'bad'
    case 'pending':
    case 'throttled':
    case 'not_sent':
    case null:
    default:
      return attempt.kind === 'resolved_received' ? 'good' : 'plain'
  }
}

function byWords(name: string): string {
  return `by ${name}`
}
