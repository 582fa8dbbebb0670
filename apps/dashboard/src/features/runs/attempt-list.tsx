import { Text } from '@mantine/core'
import type { RunAttempt, RunStepDetail } from '@gatehouse/contract'
import { durationWords } from '../../lib/age-words.ts'
import { Fold } from '../../ui/fold.tsx'
import { Moment } from '../../ui/moment.tsx'
import { attemptKindWords, attemptResult, toneOf } from './attempt-words.ts'
import { HeaderLines } from './header-lines.tsx'
import { KeptBody } from './kept-body.tsx'
import classes from './runs.module.css'
import { WholeAnswer } from './whole-answer.tsx'

/** Every try of a step, in order; nothing of it is ever changed afterwards. */
export function AttemptList({ runId, step }: { runId: number; step: RunStepDetail }) {
  return (
    <ol className={classes['attempts']} aria-label={`Attempts of step ${step.position}`}>
      {step.attempts.map((attempt) => (
        <li
          key={attempt.number}
          className={classes['attempt']}
          data-tone={toneOf(attempt, step.state)}
        >
          <Attempt attempt={attempt} runId={runId} position={step.position} />
        </li>
      ))}
    </ol>
  )
}

interface AttemptProps {
  attempt: RunAttempt
  runId: number
  position: number
}

function Attempt({ attempt, runId, position }: AttemptProps) {
  const { status, duration_ms, detail, note, reference, user_name } = attempt
  const facts = [
    status !== null && `status ${status}`,
    duration_ms !== null && durationWords(duration_ms),
    user_name !== null && `by ${user_name}`,
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
          {detail}
        </Text>
      )}
      {reference !== null && reference !== '' && (
        <Text size="sm">
          Reference: <bdi>{reference}</bdi>
        </Text>
      )}
      {note !== null && note !== '' && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          “{note}”
        </Text>
      )}
      <Answer attempt={attempt} runId={runId} position={position} />
    </>
  )
}

function Answer({ attempt, runId, position }: AttemptProps) {
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
