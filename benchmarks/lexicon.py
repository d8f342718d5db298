"""Words to make prose of: common English, and the nouns and verbs of software. All sentences made of them are ours."""

GLUE = """
the a of to and in for with on at by from as is are was be has have had it its this that these those which who what when
where while if but or not no yet so than then there here into over under about after before between through without
within across around per each every any some most more less much many few all both either neither only even still just
also too very rather quite almost already once again never always often seldom can could may might must should would
will does did done make makes made take takes took give gives gave get gets got keep keeps kept put need needs needed
""".split()

THINGS = """
agent branch buffer budget builder cache canvas catalog channel chart checkpoint client cluster codebase column command
commit compiler connector console context contract cost cursor dashboard dataset deadline debugger decoder default
delta demo deploy design desktop device diff docs domain draft driver editor embedding endpoint engine engineer
estimate evaluation example export feature feed field file filter flag folder founder framework frontend function gate
gateway graph guide handler harness hook index inbox inference ingest input interface invoice issue job journal kernel
key keyboard label latency layer ledger library license limit linter list loader lock log loop maintainer manual margin
market memory menu merge message method metric migration mobile model module monitor network node notebook notice
object operator option order output owner package page panel parser patch pattern payload permission phone pipeline
plan platform plugin policy pool port pricing privacy process product profile project prompt proof protocol prototype
proxy quality query question queue quota reader record region registry release report request research response
retry review roadmap rollout router rule runtime sample sandbox schedule schema scope score script search seat secret
segment sender server service session setting shape shell signal simulator slot snapshot socket source sprint stack
stage standard startup state store stream studio suite support switch syntax system table target task team template
terminal test theme thread threshold ticket tier timer token tool topic trace traffic trial trigger update upgrade
usage user vendor version video view voice wallet warehouse webhook weight widget window worker workflow workspace
""".split()

DEEDS = """
accept adapt add adopt align answer apply argue ask assume attach audit avoid balance block book borrow break bring
build bundle buy call catch change charge check choose claim clean close collect compare compile compose connect
convert copy count cover crash create cut debug decide defer delay deliver demand depend describe detect drift drop
edit embed enforce expect explain expose extend fail fetch fill find finish fix flag fold follow forget generate grade
grow guess handle hide hire hold host ignore improve include inherit invent isolate join judge jump launch lead learn
leave lift load lose maintain manage map match measure mention merge migrate mix move name notice offer open outgrow
own pack paste pay pick pin plan play polish praise predict prefer prevent price print promise protect prove publish
pull push query raise read rebuild recover reduce refactor refuse render rent repeat replace reply report require
rescue resolve restore return reveal reverse rewrite run save scale schedule score sell send separate serve share ship
skip slow solve sort spend split start steer stop stretch struggle support surface survive swap sync teach tell test
track train transfer translate trim trust try tune turn type undo unlock use validate wait warn waste watch win wrap
""".split()

MANNERS = """
abandoned able accurate active adequate ancient annual automatic available awkward bare basic bold brave brief bright
brittle broad busy careful cheap clean clear clever clumsy common complete costly crisp crowded curious custom daily
deep dense dull eager early easy elegant empty exact expensive explicit fair familiar fast final firm flat fragile free
fresh friendly full generous gentle genuine global gradual grand handy happy hard heavy honest huge hungry idle implicit
inner instant keen large late lazy lean light likely live local lonely long loose loud low loyal mature mild minor
modest monthly narrow native neat nervous noisy novel obvious odd open optional ordinary plain polite poor portable
precise premium private proper proud public pure quick quiet rapid rare raw ready real reliable remote rich rigid robust
rough round safe scarce secure sensible serious shallow sharp short silent simple sincere slim slow small smart smooth
sober solid sparse special stable stale steady steep strange strict strong sturdy subtle sudden sure swift tame tidy
tiny tired tough tricky true typical uneven unique unusual useful usual vague valid vast vivid warm weak weekly whole
wide wild wise worthy young
""".split()
