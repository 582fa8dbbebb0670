import { configure } from '@testing-library/react'

// A busy machine may need seconds for what takes milliseconds elsewhere. Whoever waits for an event
// waits for it this long in every test; a test as a whole has 30 s.
configure({ asyncUtilTimeout: 10_000 })
