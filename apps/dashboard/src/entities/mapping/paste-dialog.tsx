import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { FormRow } from './mapping-form.ts'
import { rowsFromCells } from './paste-rows.ts'
import classes from './table/mapping-rows.module.css'

interface PasteDialogProps {
  /** What was pasted; undefined while the dialog is closed. */
  text: string | undefined
  /** How many rows there is room for. */
  room: number
  /** What a new row holds beside its cells. */
  blank: Partial<Omit<FormRow, 'id'>>
  onAdd: (rows: FormRow[]) => void
  onClose: () => void
}

/** Shows which rows a copied part of a spreadsheet makes, and which lines are refused and why. */
export function PasteDialog({ text, onClose, ...props }: PasteDialogProps) {
  return (
    <Dialog isOpen={text !== undefined} title="Paste rows" onClose={onClose}>
      {text !== undefined && <Pasted key={text} text={text} {...props} />}
    </Dialog>
  )
}

type PastedProps = Omit<PasteDialogProps, 'onClose'> & { text: string }

function Pasted({ text, room, blank, onAdd }: PastedProps) {
  const [cells, setCells] = useState(text)
  const { rows, refused } = useMemo(
    () => rowsFromCells(cells, { room, blank }),
    [cells, room, blank],
  )
  return (
    <Stack gap="sm">
      <Textarea
        label="Cells"
        description="One line for each row: From, To, and if wanted Custom Input and Type, as a spreadsheet copies them. A first line of these names says another order."
        value={cells}
        onChange={(event) => setCells(event.currentTarget.value)}
        rows={6}
        dir="ltr"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {refused.length > 0 && (
        <div>
          <Text size="sm" fw={600} c="var(--mantine-color-error)">
            {refused.length === 1 ? '1 line is refused' : `${refused.length} lines are refused`}
          </Text>
          <ul className={classes['unread']}>
            {refused.map(({ line, text, reason }) => (
              <li key={line}>
                Line {line}: {reason} <code>{text.slice(0, 80)}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {rows.length > 0 && (
        <ul className={classes['unread']} aria-label="Rows to add">
          {rows.map(({ id, from, to, custom_input, type }) => (
            <li key={id}>
              <code>{from || custom_input}</code> → <code>{to}</code>
              {type !== 'auto' && <> · {type}</>}
            </li>
          ))}
        </ul>
      )}
      <Group justify="flex-end">
        <Button disabled={rows.length === 0} onClick={() => onAdd(rows)}>
          {rows.length === 1 ? 'Add 1 row' : `Add ${rows.length} rows`}
        </Button>
      </Group>
    </Stack>
  )
}
