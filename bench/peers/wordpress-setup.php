<?php
// Installs WordPress on an empty database and fills it. Run as: php FILE SITE ADDRESS DOCUMENTS
// DOCUMENTS has one JSON object with title and content a line. Prints what the comparison needs, as JSON.
[, $site, $address, $documents] = $argv;
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url($address, PHP_URL_HOST) . ':' . parse_url($address, PHP_URL_PORT);
require "$site/wp-load.php";
require ABSPATH . 'wp-admin/includes/upgrade.php';

wp_install('Bench', 'bench', 'bench@example.org', true, '', wp_generate_password());
update_option('permalink_structure', '/%postname%/');
foreach (['comments_notify', 'moderation_notify', 'comment_moderation', 'comment_previously_approved'] as $name) {
    update_option($name, '0');
}
update_option('default_ping_status', 'closed');
switch_theme('twentytwentythree');
flush_rewrite_rules();

[$password] = WP_Application_Passwords::create_new_application_password(1, ['name' => 'bench']);

global $wpdb;
$wpdb->query('start transaction');
foreach (new SplFileObject($documents) as $number => $line) {
    if ($line === '') {
        continue;
    }
    $document = json_decode($line);
    $time = gmdate('Y-m-d H:i:s', 1700000000 + $number * 600);
    $wpdb->insert($wpdb->posts, [
        'post_author' => 1,
        'post_title' => $document->title,
        'post_name' => "document-$number",
        'post_content' => $document->content,
        'post_excerpt' => '',
        'to_ping' => '',
        'pinged' => '',
        'post_content_filtered' => '',
        'post_status' => 'publish',
        'post_date' => $time,
        'post_date_gmt' => $time,
        'post_modified' => $time,
        'post_modified_gmt' => $time,
    ]);
    if ($wpdb->last_error !== '') {
        throw new RuntimeException($wpdb->last_error);
    }
}
$wpdb->query('commit');
echo json_encode(['password' => $password, 'version' => get_bloginfo('version')]);
