import { Menu, Text } from '@mantine/core'
import { mappingFunctions } from '@gatehouse/contract/mapping'
import classes from './mapping-rows.module.css'
import { LateMenu } from './late-menu.tsx'

interface FunctionHelpProps {
  /** Counted from 1. */
  number: number
  from: string
  onChange: (from: string) => void
}

/** The functions of From; choosing one puts it around what From says. */
export function FunctionHelp({ number, from, onChange }: FunctionHelpProps) {
  return (
    <LateMenu
      label={`Functions for From of row ${number}`}
      sign="ƒ"
      width={340}
      className={classes['functions']}
    >
      {() =>
        mappingFunctions.map(({ name, usage, words, most, least }) => (
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
        ))
      }
    </LateMenu>
  )
}

const around = (name: string, from: string) => `${name}(${from.trim()})`
