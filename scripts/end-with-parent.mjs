// Loaded first into every Node process that the launcher starts (`--import`). The two hold a channel
// which the kernel closes when the launcher is gone, however it went: then this process ends too.
// Without it a launcher that is killed hard would leave a server, or an `npm ci`, running alone.

if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
