import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconMathFunction } from '@tabler/icons-react'
import { mappingFunctions } from '@gatehouse/contract/mapping'
import classes from './mapping-rows.module.css'

interface FunctionHelpProps {
  /** Counted from 1. */
  number: number
  from: string
  onChange: (from: string) => void
}

/** The functions of From; choosing one puts it around what From says. */
export function FunctionHelp({ number, from, onChange }: FunctionHelpProps) {
  return (
    <Menu position="bottom-end" shadow="md" width={340}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Functions for From of row ${number}`}
        >
          <IconMathFunction size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={classes['functions'] ?? ''}>
        {mappingFunctions.map(({ name, usage, words, most, least }) => (
          <Menu.Item
            key={name}
            onClick={() =>
              onChange(most === undefined && least === 0 ? `${name}()` : around(name, from))
            }
          >
            <Text size="sm" className={classes['mono'] ?? ''}>
              {usage}
            </Text>
            <Text size="xs" c="dimmed">
              {words}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const around = (name: string, from: string) => `${name}(${from.trim()})`
