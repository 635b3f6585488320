/* SPDX-License-Identifier: GPL-2.0-or-later */
// Gives the program what `./run` would: where plugin, settings and folders are.
#include "report_run.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace {

constexpr int PatienceMs = 3000; // with a process that was asked to end
const QString Step = QStringLiteral("step: "), Sender = QStringLiteral("run: ");

// Python's own, as ./run takes it: one of a virtual environment may lack Debian's packages.
QString pythonPath()
{
    const QString usual = QStringLiteral("/usr/bin/python3");
    return QFileInfo(usual).isExecutable() ? usual : QStandardPaths::findExecutable(QStringLiteral("python3"));
}

// Programs of the Wireshark that runs come before others of their name: the plugin fits no other.
QStringList programFolders()
{
    const QString path = QString::fromLocal8Bit(qgetenv("PATH"));
    return QStringList{ QCoreApplication::applicationDirPath() } + path.split(QLatin1Char(':'), Qt::SkipEmptyParts);
}

QStringList optionsOf(const sctpa_host_t *host, const QString &word, bool isDefault)
{
    QStringList words;
    char **options = host->preferences(isDefault);
    for (char **option = options; *option; option++)
        words << word << QString::fromUtf8(*option);
    g_strfreev(options);
    return words;
}

}

SctpaReportRun::SctpaReportRun(const sctpa_host_t *host, QObject *parent) : QObject(parent), host_(host)
{
    process_.setStandardInputFile(QProcess::nullDevice());
    kill_.setSingleShot(true);
    connect(&kill_, &QTimer::timeout, &process_, &QProcess::kill);
    connect(&process_, &QProcess::readyReadStandardError, this, &SctpaReportRun::readSteps);
    connect(&process_, QOverload<int, QProcess::ExitStatus>::of(&QProcess::finished), this,
            [this](int status, QProcess::ExitStatus how) { finish(how == QProcess::NormalExit, status); });
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT ended(false, tr("%1 could not be started: %2").arg(process_.program(), process_.errorString()));
    });
}

SctpaReportRun::~SctpaReportRun()
{
    process_.disconnect(this);
    process_.terminate();
    if (!process_.waitForFinished(PatienceMs))
        process_.kill();
    process_.waitForFinished(PatienceMs);
}

QString SctpaReportRun::programFolder() const
{
    return host_->plugin_folder ? QStringLiteral("%1/" SCTPA_REPORT_FOLDER).arg(QFile::decodeName(host_->plugin_folder))
                                : QString();
}

QString SctpaReportRun::missing() const
{
    if (pythonPath().isEmpty())
        return tr("Reports need Python 3, which is not installed. On Debian: python3, python3-jinja2.");
    static const struct {
        const char *name, *package;
    } Programs[] = { { "tshark", "tshark" }, { "editcap", "wireshark-common" } };
    for (const auto &program : Programs)
        if (QStandardPaths::findExecutable(QLatin1String(program.name), programFolders()).isEmpty())
            return tr("Reports need %1, which is not installed. On Debian it is in package %2.")
                .arg(QLatin1String(program.name), QLatin1String(program.package));
    const QString main = programFolder() + QStringLiteral("/sctpa/report/__main__.py");
    return QFileInfo::exists(main) ? QString() : tr("The report program is not installed: %1 is missing.").arg(main);
}

QStringList SctpaReportRun::command(const Order &order) const
{
    QStringList words{ pythonPath(), QStringLiteral("-sPB"), QStringLiteral("-m"), QStringLiteral("sctpa.report"),
                       QStringLiteral("--progress") };
    words += optionsOf(host_, QStringLiteral("--setting"), true) + optionsOf(host_, QStringLiteral("--option"), false);
    if (order.assoc != SCTPA_NO_ASSOC)
        words << QStringLiteral("--association") << QString::number(order.assoc);
    if (order.isAnonymised)
        words << QStringLiteral("--anonymise");
    return words << QStringLiteral("--out") << order.folder << QStringLiteral("--")
                 << QFileInfo(order.capture).fileName();
}

QProcessEnvironment SctpaReportRun::environment() const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    char *profile = host_->profile_folder();
    environment.insert(QStringLiteral("PATH"), programFolders().join(QLatin1Char(':')));
    environment.insert(QStringLiteral("PYTHONPATH"), programFolder());
    environment.insert(QStringLiteral("PYTHONUTF8"), QStringLiteral("1"));
    environment.insert(QStringLiteral("SCTPA_AS_USER"), QString());
    environment.insert(QStringLiteral("SCTPA_HOME"), folder_->filePath(QStringLiteral("home")));
    environment.insert(QStringLiteral("SCTPA_LINKS"), folder_->filePath(QStringLiteral("links")));
    environment.insert(QStringLiteral("SCTPA_CONFIG"), QFile::decodeName(profile));
    // Wireshark looks below this for the folder of its version, and in that for epan.
    environment.insert(QStringLiteral("SCTPA_PLUGINS"),
                       QDir::cleanPath(QFile::decodeName(host_->plugin_folder) + QStringLiteral("/../..")));
    g_free(profile);
    return environment;
}

void SctpaReportRun::start(const Order &order)
{
    QStringList words = command(order);
    complaint_.clear();
    isCancelled_ = false;
    folder_ = std::make_unique<QTemporaryDir>();
    for (const char *name : { "home", "links" })
        if (!QDir(folder_->path()).mkdir(QLatin1String(name))) {
            Q_EMIT ended(false, tr("Cannot create temporary files: %1").arg(folder_->errorString()));
            return;
        }
    process_.setProcessEnvironment(environment());
    // The report names the capture without its folder.
    process_.setWorkingDirectory(QFileInfo(order.capture).absolutePath());
    const QString python = words.takeFirst();
    process_.start(python, words);
}

void SctpaReportRun::cancel()
{
    isCancelled_ = true;
    process_.terminate();
    kill_.start(PatienceMs);
}

// Steps, and the line that says what went wrong, or lines of a Python that ended by itself.
void SctpaReportRun::readSteps()
{
    process_.setReadChannel(QProcess::StandardError);
    while (process_.canReadLine()) {
        QString line = QString::fromUtf8(process_.readLine()).trimmed();
        if (line.startsWith(Sender))
            line.remove(0, Sender.size());
        if (line.startsWith(Step))
            Q_EMIT stepped(line.mid(Step.size()));
        else if (!line.isEmpty())
            complaint_ = line;
    }
}

void SctpaReportRun::finish(bool hasExited, int status)
{
    readSteps();
    kill_.stop();
    folder_.reset();
    const QString said = QString::fromUtf8(process_.readAllStandardOutput()).trimmed();
    const bool isWritten = hasExited && !said.isEmpty();
    if (isCancelled_ && !isWritten)
        Q_EMIT ended(false, tr("Cancelled; the report is incomplete."));
    else if (isWritten)
        Q_EMIT ended(true, complaint_.isEmpty() ? said : QStringLiteral("%1. %2").arg(said, complaint_));
    else
        Q_EMIT ended(false, complaint_.isEmpty()
                                ? tr("The report program exited with status %1 without a message.").arg(status)
                                : complaint_);
}
