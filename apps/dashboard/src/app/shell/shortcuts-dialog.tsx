import { Kbd, Table } from '@mantine/core'
import { Dialog } from '../../ui/dialog/dialog.tsx'

const shortcuts = [
  [['Ctrl', 'K'], 'Find a screen, an action, a record or a run'],
  [['/'], 'Search this list, or find anything'],
  [['J'], 'Go to the next line of a list or log: Enter opens it, Space selects it'],
  [['K'], 'Go to the line before'],
  [['Shift'], 'With a press on a box: select all lines from the last one that was pressed'],
  [['A'], 'Ask about the selected runs; R resumes, S settles, C closes them'],
  [['Ctrl', 'S'], 'Save the form'],
  [['Ctrl', 'Enter'], 'Send the request'],
  [['?'], 'Show these shortcuts'],
  [['Esc'], 'Close a dialog'],
] as const

/** What each key does. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog isOpen title="Shortcuts" onClose={onClose}>
      <Table>
        <Table.Tbody>
          {shortcuts.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {keys.map((key) => (
                  <Kbd key={key} me={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}
