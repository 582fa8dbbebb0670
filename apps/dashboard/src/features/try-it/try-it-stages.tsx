import { Code, Text } from '@mantine/core'
import { IconCheck, IconCircleMinus, IconFlag, IconX } from '@tabler/icons-react'
import type { TraceStageRecord, TryItAnswer } from '@gatehouse/contract'
import { Fold } from '../../ui/page/fold.tsx'
import classes from './try-it-stages.module.css'

const words: Record<string, string> = {
  guard: 'Request line and headers',
  match: 'Match',
  authenticate: 'Personal token',
  authorize: 'Access',
  policy: 'Traffic policy',
  validate: 'Validation',
  transform: 'Transformation',
  output: 'Custom output',
  release: 'Release by a person',
  forward: 'Upstream',
  procedure: 'Stored procedure',
  transform_answer: 'Transformation of the answer',
}

const verdicts = {
  passed: { Icon: IconCheck, text: 'passed' },
  refused: { Icon: IconX, text: 'refused' },
  answered: { Icon: IconFlag, text: 'answered' },
  skipped: { Icon: IconCircleMinus, text: 'not needed' },
} as const

const canaryWords: Record<string, string> = {
  header: 'It goes to the canary: its header leads there.',
  token: 'It goes to the canary: its token leads there.',
  share: 'It goes to the canary: its client is in the share.',
}

/** Without details they had nothing to do. */
const optional = new Set(['validate', 'transform'])

/** Requests pass these stages also where there is nothing to do for them. */
const isShown = ({ name, verdict, details }: TraceStageRecord) =>
  verdict !== 'passed' ||
  !(
    name === 'procedure' ||
    name === 'release' ||
    (optional.has(name) && Object.keys(details).length === 0)
  )

/** What each stage of the gateway made of the request, in their order, with times. */
export function TryItStages({ trace }: { trace: NonNullable<TryItAnswer['trace']> }) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs">
        In the gateway {trace.took_ms.toFixed(2)} ms, on configuration {trace.revision}.
      </Text>
      <ol className={classes['stages']}>
        {trace.stages.filter(isShown).map((stage) => (
          <Stage key={stage.name} stage={stage} />
        ))}
      </ol>
    </div>
  )
}

function Stage({ stage }: { stage: TraceStageRecord }) {
  const { Icon, text } = verdicts[stage.verdict]
  const canary =
    stage.details['target'] === 'canary'
      ? canaryWords[String(stage.details['chosen_by'])]
      : undefined
  const hasDetails = Object.keys(stage.details).length > 0
  return (
    <li className={classes['stage']} data-verdict={stage.verdict}>
      <Icon size={18} aria-hidden className={classes['icon'] ?? ''} />
      <div className={classes['content']}>
        <div className={classes['head']}>
          <Text size="sm" fw={600}>
            {words[stage.name] ?? stage.name}
          </Text>
          <Text size="sm">{text}</Text>
          {stage.code !== null && <Code>{stage.code}</Code>}
          <Text size="xs" c="dimmed" className={classes['time'] ?? ''}>
            {stage.took_ms.toFixed(2)} ms
          </Text>
        </div>
        {canary !== undefined && <Text size="sm">{canary}</Text>}
        {hasDetails && (
          <Fold title="Details">
            <pre className={classes['details']}>{JSON.stringify(stage.details, null, 2)}</pre>
          </Fold>
        )}
      </div>
    </li>
  )
}
