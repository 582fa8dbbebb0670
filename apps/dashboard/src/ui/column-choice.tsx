import { Button, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { BareCheckbox } from './bare-checkbox.tsx'

interface ColumnChoiceProps {
  columns: readonly { head: string; isShown: boolean }[]
  onChange: (head: string, isShown: boolean) => void
}

/** Which columns a table shows. */
export function ColumnChoice({ columns, onChange }: ColumnChoiceProps) {
  return (
    <Popover position="bottom-end">
      <Popover.Target>
        <Button variant="default" ms="auto" px="sm" leftSection={<IconColumns3 size={16} />}>
          Columns
        </Button>
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
