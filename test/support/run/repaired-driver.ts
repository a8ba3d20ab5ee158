// Loaded into every process of the tests before anything else: they work with the database driver as the program repairs it.
import { repairDriver } from '../../../src/cli/frame/driver-repair.ts'

repairDriver()
