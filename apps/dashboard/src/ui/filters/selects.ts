// What a list loads once it is drawn: all that opens a dropdown.
export { Popover, Select } from '@mantine/core'
