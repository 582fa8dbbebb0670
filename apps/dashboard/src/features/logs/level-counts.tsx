import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { LogPage } from '@gatehouse/contract'
import { logLevels, type LogLevel } from '@gatehouse/contract/log-levels'
import classes from './level-counts.module.css'

interface LevelCountsProps {
  answer: Pick<LogPage, 'levels' | 'reading'>
  /** Levels separated by commas; blank for all. */
  chosen: string
  onChange: (chosen: string) => void
}

const classOf = (level: LogLevel) =>
  logLevels.indexOf(level) < 3 ? 'info' : level === 'warning' ? 'warning' : 'danger'

/** How many entries of each level the search finds. A click shows that level alone, or with others. */
export function LevelCounts({ answer, chosen, onChange }: LevelCountsProps) {
  const isChosen = (level: LogLevel) => chosen.split(',').includes(level)
  const counts = new Map(answer.levels.map(({ level, entries }) => [level, entries]))
  const most = Math.max(1, ...counts.values())
  const shown = logLevels.filter((level) => counts.has(level) || isChosen(level)).toReversed()
  const toggle = (level: LogLevel) =>
    onChange(logLevels.filter((each) => isChosen(each) !== (each === level)).join(','))
  if (shown.length === 0) return null
  return (
    <fieldset aria-label="Levels" className={classes['levels']}>
      {shown.map((level) => {
        const entries = counts.get(level) ?? 0
        return (
          <UnstyledButton
            key={level}
            className={classes['level'] ?? ''}
            data-level={classOf(level)}
            aria-pressed={isChosen(level)}
            onClick={() => toggle(level)}
          >
            <span>{level}</span> <span className={classes['count']}>{countWords(entries)}</span>
            <span
              className={classes['bar']}
              style={{ width: `${Math.max(2, (100 * entries) / most)}%` }}
            />
          </UnstyledButton>
        )
      })}
      {answer.reading && (
        <span className={classes['partial']}>
          in the newest part<VisuallyHidden>: the rest of the file is not read yet</VisuallyHidden>
        </span>
      )}
    </fieldset>
  )
}

const countWords = (entries: number) => entries.toLocaleString('en')
