import Accounts
import GRDB
