import { Stack } from '@mantine/core'
import { BareCheckbox } from '../form/bare-checkbox.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { Popover } from '../filters/selects.ts'

interface ColumnPopoverProps {
  columns: readonly { key: string; head: string; isShown: boolean }[]
  onChange: (key: string, isShown: boolean) => void
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
          {columns.map(({ key, head, isShown }) => (
            <BareCheckbox
              key={key}
              label={head}
              isChecked={isShown}
              onToggle={() => onChange(key, !isShown)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
