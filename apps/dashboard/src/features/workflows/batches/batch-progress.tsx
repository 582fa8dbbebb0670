import type { BatchRecord, RunState } from '@gatehouse/contract'
import { runStateWords } from '../../../entities/run/run-words.ts'
import classes from './batch-progress.module.css'
import { batchStateColors, batchStateWords, statesInOrder } from './batch-words.ts'
import { StatusWord } from '../../../ui/text/status-word.tsx'

/** A batch that has finished is green only where every row succeeded. */
export function BatchBadge({ batch }: { batch: BatchRecord }) {
  const { state, counts, total } = batch
  const isWhole = state !== 'finished' || counts.succeeded === total
  const color = isWhole ? batchStateColors[state] : 'orange'
  return <StatusWord color={color}>{batchStateWords[state]}</StatusWord>
}

type Counts = BatchRecord['counts']

/** The states that a batch has rows in, in their order. */
export const countedStates = (counts: Counts): (readonly [RunState, number])[] =>
  statesInOrder.flatMap((state) => {
    const count = counts[state] ?? 0
    return count > 0 ? [[state, count] as const] : []
  })

/** One thin bar, stacked of the states of the rows. Even a single row is wide enough to be seen. */
export function BatchBar({ counts }: { counts: Counts }) {
  const shown = countedStates(counts)
  const words = shown.map(([state, count]) => `${runStateWords[state]} ${count}`).join(', ')
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- there is no picture file
    <div className={classes['bar']} role="img" aria-label={words} title={words}>
      {shown.map(([state, count]) => (
        <span
          key={state}
          className={classes['part']}
          data-state={state}
          style={{ flexGrow: count }}
        />
      ))}
    </div>
  )
}

interface LegendProps {
  counts: Counts
  /** The state whose rows are listed. */
  chosen: string | undefined
  onChoose: (state: RunState) => void
}

/** The count of each state; a press lists its rows. */
export function BatchLegend({ counts, chosen, onChoose }: LegendProps) {
  return (
    <ul className={classes['legend']} aria-label="Rows by state">
      {countedStates(counts).map(([state, count]) => (
        <li key={state}>
          <button
            type="button"
            className={classes['entry']}
            aria-pressed={chosen === state}
            onClick={() => onChoose(state)}
          >
            <span className={classes['dot']} data-state={state} aria-hidden />
            {runStateWords[state]} <b>{count.toLocaleString('en')}</b>
          </button>
        </li>
      ))}
    </ul>
  )
}
