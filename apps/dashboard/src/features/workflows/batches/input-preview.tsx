import { Table } from '@mantine/core'
import {
  isExactObject,
  ownValue,
  parseExact,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import classes from './send-file.module.css'

interface Row {
  line: number
  /** JSON text. */
  input: string
  reference: string | null
}

const columnsMax = 8

/** Inputs as a table with a column for each place, `customer.name`; arrays are shown as JSON. */
export function InputPreview({ rows }: { rows: readonly Row[] }) {
  const read = rows.map(({ line, input }) => ({ line, cells: cellsOf(parseExact(input)) }))
  const names = [...new Set(read.flatMap(({ cells }) => [...cells.keys()]))]
  const shown = names.slice(0, columnsMax)
  return (
    // Scrolls, so it has to be reachable for those without a mouse.
    <section
      className={classes['scroll']}
      aria-label="First rows"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: scrollable region
      tabIndex={0}
    >
      <Table fz="sm" aria-label="First rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Row</Table.Th>
            {shown.map((name) => (
              <Table.Th key={name}>{name === '' ? 'Input' : name}</Table.Th>
            ))}
            {names.length > shown.length && <Table.Th>{names.length - shown.length} more</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {read.map(({ line, cells }) => (
            <Table.Tr key={line}>
              <Table.Td>{line}</Table.Td>
              {shown.map((name) => (
                <Table.Td key={name}>
                  <Cell text={cells.get(name) ?? ''} />
                </Table.Td>
              ))}
              {names.length > shown.length && <Table.Td>…</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

const Cell = ({ text }: { text: string }) => (
  <span className={classes['cell']} title={text}>
    {text}
  </span>
)

/** The text at each place of an input, by its path; blank where it is no object. */
function cellsOf(input: ExactJson, path = ''): Map<string, string> {
  if (!isExactObject(input))
    return new Map([[path, typeof input === 'string' ? input : stringifyExact(input)]])
  const inside = Object.keys(input).flatMap((name) => [
    ...cellsOf(ownValue(input, name) ?? null, path === '' ? name : `${path}.${name}`),
  ])
  return new Map(inside)
}
