import { Text } from '@mantine/core'
import { groupFaults, type RowProblem } from './problem-words.ts'
import classes from './send-file.module.css'

interface ProblemListProps {
  problems: readonly RowProblem[]
  /** Rows with problems that are not listed. */
  hiddenRows: number
  isCsv: boolean
}

/** Each problem with its rows and field. Equal ones are one. */
export function ProblemList({ problems, hiddenRows, isCsv }: ProblemListProps) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb="xs">
        {isCsv
          ? 'Row 1 is the first below the header. Blank rows are not counted.'
          : 'Row 1 is the first. Blank lines are not counted.'}
      </Text>
      <ol className={classes['problems']} aria-label="Problems">
        {groupFaults(problems).map(({ field, message, rows }) => (
          <li key={`${field} ${message} ${rows[0]?.row}`}>
            <b>
              {rows.length === 1
                ? `Row ${rows[0]?.row.toLocaleString('en')}`
                : `${rows.length.toLocaleString('en')} rows`}
            </b>
            <span>{field === '' ? 'the whole row' : <code>{field}</code>}</span>
            <span>{message}</span>
            <Places rows={rows} />
          </li>
        ))}
      </ol>
      {hiddenRows > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {hiddenRows === 1
            ? 'And 1 more row.'
            : `And ${hiddenRows.toLocaleString('en')} more rows.`}
        </Text>
      )}
    </div>
  )
}

const placesMax = 20

/** Where the rows are, and whose: “line 4, A-3”. */
function Places({ rows }: { rows: readonly RowProblem[] }) {
  const isAlone = rows.length === 1
  const words = rows
    .slice(0, placesMax)
    .map((row) => placeWords(row, isAlone))
    .filter((each) => each !== '')
  if (words.length === 0) return null
  return (
    <span className={classes['places']}>
      <bdi>{words.join(' · ')}</bdi>
      {rows.length > placesMax && ` · ${(rows.length - placesMax).toLocaleString('en')} more`}
    </span>
  )
}

/** The value too, where the message is that of another row. */
function placeWords({ row, fileLine, reference, message }: RowProblem, isAlone: boolean): string {
  const line = fileLine === null ? (isAlone ? '' : `row ${row}`) : `line ${fileLine}`
  const value = isAlone ? '' : (/"[^"]*"/.exec(message)?.[0] ?? '')
  return [line, reference ?? '', value].filter((each) => each !== '').join(', ')
}
