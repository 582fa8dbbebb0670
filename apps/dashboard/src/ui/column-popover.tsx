import { Stack } from '@mantine/core'
import { BareCheckbox } from './bare-checkbox.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { Popover } from './selects.ts'

interface ColumnPopoverProps {
  columns: readonly { head: string; isShown: boolean }[]
  onChange: (head: string, isShown: boolean) => void
}

/** The button and, once it is pressed, the columns. */
export function ColumnPopover({ columns, onChange }: ColumnPopoverProps) {
  return (
    <Popover position="bottom-end">
      <Popover.Target>
        <ColumnsButton />
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {columns.map(({ head, isShown }) => (
            <BareCheckbox
              key={head}
              label={head}
              isChecked={isShown}
              onToggle={() => onChange(head, !isShown)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
